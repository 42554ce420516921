	.amdgcn_target "amdgcn-amd-amdhsa--gfx803"
	.text
main:
	s_load_dword s4, s[0:1], 0x0
	s_load_dword s5, s[0:1], 0x4
	s_waitcnt lgkmcnt(1)
	v_mov_b32_e32 v0, s4
	s_endpgm
