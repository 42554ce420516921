	.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
	.text
main:
	v_add_f32_e64 v0, s1, s2
	v_fma_f32 v0, s1, v1, vcc_lo
	s_endpgm
