	.amdgcn_target "amdgcn-amd-amdhsa--gfx600"
	.text
main:
	v_cmp_eq_f32_e32 vcc, v0, v1
	v_div_fmas_f32 v2, v0, v1, v2
	s_endpgm
