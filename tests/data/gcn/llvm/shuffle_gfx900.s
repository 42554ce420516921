// Lanes exchange values by swizzles, permutations and DPP.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
	.text
	.globl	shuffle
	.p2align	8
	.type	shuffle,@function
shuffle:
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	v_lshlrev_b32_e32 v1, 2, v0
	s_waitcnt lgkmcnt(0)
	global_load_dword v2, v1, s[4:5]
	s_waitcnt vmcnt(0)
	ds_swizzle_b32 v3, v2 offset:swizzle(SWAP,16)
	ds_swizzle_b32 v4, v2 offset:swizzle(QUAD_PERM,3,2,1,0)
	v_xor_b32_e32 v5, 0xfc, v1
	ds_bpermute_b32 v6, v5, v2
	v_mov_b32_dpp v7, v2 row_half_mirror row_mask:0xf bank_mask:0xf
	s_waitcnt lgkmcnt(0)
	v_add3_u32 v3, v3, v4, v6
	v_add_u32_e32 v3, v3, v7
	global_store_dword v1, v3, s[6:7]
	s_endpgm

	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel shuffle
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 8
		.amdhsa_next_free_sgpr 16
	.end_amdhsa_kernel
