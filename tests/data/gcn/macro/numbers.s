// Numbers in every notation, and operators.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx803"
	.text
	s_movk_i32 s0, 0b1011
	s_movk_i32 s1, 017
	s_movk_i32 s2, 0x1f
	s_mov_b32 s3, 1<<20 | 3
	s_mov_b32 s4, ~0 & 0xffff
	s_mov_b32 s5, (7*6)%5
	s_mov_b32 s6, -7/2
	s_mov_b32 s7, 1.5
	s_mov_b32 s8, -4.0
	v_mov_b32_e32 v0, 0x3e22f983
	v_add_f16_e32 v1, 0.5, v1
	s_movk_i32 s9, 5 > 3
	s_endpgm
