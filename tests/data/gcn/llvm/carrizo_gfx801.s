// A chip that retries page faults: XNACK_MASK is named.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx801"
	.text
	.globl	retry
	.p2align	8
	.type	retry,@function
retry:
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	s_mov_b64 s[8:9], xnack_mask
	v_lshlrev_b32_e32 v1, 2, v0
	v_mov_b32_e32 v2, s8
	s_waitcnt lgkmcnt(0)
	buffer_store_dword v2, v1, s[4:7], 0 offen
	s_endpgm

	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel retry
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 8
		.amdhsa_next_free_sgpr 16
	.end_amdhsa_kernel
