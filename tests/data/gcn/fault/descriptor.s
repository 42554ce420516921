	.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
	.text
main:
	s_endpgm
	.rodata
	.amdhsa_kernel main
		.amdhsa_next_free_vgpr 8
		.amdhsa_next_free_sgpr 16
		.amdhsa_nonsense 1
		.amdhsa_system_vgpr_workitem_id 7
	.end_amdhsa_kernel
