	.amdgcn_target "amdgcn-amd-amdhsa--gfx803"
	.text
main:
	s_mov_b32 m0, -1
	ds_read_b32 v1, v0
	ds_read_b32 v2, v0 offset:4
	s_waitcnt lgkmcnt(1)
	v_add_f32_e32 v1, v1, v2
	s_endpgm
