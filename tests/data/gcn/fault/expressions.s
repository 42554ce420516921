	.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
	.text
main:
	s_mov_b32 s0, 1/0
	s_mov_b32 s1, (1+2
	v_mov_b32_e32 v[3:1], 0
	.fill main, 4, 0
	s_endpgm
