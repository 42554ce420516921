	.amdgcn_target "amdgcn-amd-amdhsa--gfx803"
	.text
main:
	v_add_f32_e64 v0, 0x1234, v2
	v_add_f32_e32 v0, v2, 0x1234
	s_add_u32 s0, 0x1234, 0x4321
	s_endpgm
