	.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
	.text
small:
	v_mov_b32_e32 v20, 0
	s_mov_b32 s40, 0
	s_endpgm
	.rodata
	.amdhsa_kernel small
		.amdhsa_next_free_vgpr 8
		.amdhsa_next_free_sgpr 16
	.end_amdhsa_kernel
