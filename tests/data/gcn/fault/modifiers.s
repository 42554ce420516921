	.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
	.text
main:
	v_and_b32_e64 v0, v1, v2 mul:2
	v_add_u32_e64 v0, -v1, v2
	v_mov_b32_dpp v0, v1 row_shl:16
	ds_read_b32 v0, v1 offset0:1
	s_load_dword s0, s[0:1], 0x0 slc
	v_pk_add_f16 v0, |v1|, v2
	s_endpgm
