	.amdgcn_target "amdgcn-amd-amdhsa--gfx600"
	.text
main:
	buffer_store_dword v1, v0, s[4:7], 0 offen
	v_mov_b32_e32 v1, 0
	s_endpgm
