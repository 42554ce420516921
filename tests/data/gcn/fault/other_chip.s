	.amdgcn_target "amdgcn-amd-amdhsa--gfx906"
	.text
main:
	v_mfma_f32_4x4x1f32 a[0:3], v0, v1, a[0:3]
	v_mad_mix_f32 v0, v1, v2, v3
	s_endpgm
