	.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
	.text
main:
	v_add_f32_e32 v0, v1
	v_mov_b32_e32 v0, v1, v2
	v_mov_b32_e32 s0, v1
	s_mov_b32 s0, v1
	s_endpgm v0
	v_nop 1
