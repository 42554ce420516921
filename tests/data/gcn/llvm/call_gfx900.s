// Calls a function and returns from it.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
	.text
	.globl	caller
	.p2align	8
	.type	caller,@function
caller:
	s_load_dwordx2 s[4:5], s[0:1], 0x0
	v_lshlrev_b32_e32 v1, 2, v0
	s_getpc_b64 s[8:9]
	s_add_u32 s8, s8, square-.-4
	s_addc_u32 s9, s9, 0
	s_swappc_b64 s[30:31], s[8:9]
	s_waitcnt lgkmcnt(0)
	global_store_dword v1, v2, s[4:5]
	s_endpgm
square:
	v_mul_lo_u32 v2, v0, v0
	s_setpc_b64 s[30:31]

	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel caller
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 6
		.amdhsa_next_free_sgpr 40
	.end_amdhsa_kernel
