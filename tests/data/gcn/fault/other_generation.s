	.amdgcn_target "amdgcn-amd-amdhsa--gfx600"
	.text
main:
	flat_load_dword v0, v[1:2]
	ds_read_b96 v[0:2], v3
	v_add_u16_e32 v0, v1, v2
	v_mov_b32_sdwa v0, v1 dst_sel:BYTE_0
	global_load_dword v0, v[1:2], off
	v_pk_add_f16 v0, v1, v2
	s_endpgm
