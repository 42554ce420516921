// A tile of 32 by 32 of a product by the matrix unit.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx908"
	.text
	.globl	mfma_f32
	.p2align	8
	.type	mfma_f32,@function
mfma_f32:
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	v_lshlrev_b32_e32 v1, 2, v0
	v_accvgpr_write_b32 a0, 0
	v_accvgpr_write_b32 a1, 0
	v_accvgpr_write_b32 a2, 0
	v_accvgpr_write_b32 a3, 0
	s_waitcnt lgkmcnt(0)
	global_load_dword v2, v1, s[4:5]
	global_load_dword v3, v1, s[4:5] offset:256
	s_waitcnt vmcnt(0)
	s_nop 1
	v_mfma_f32_4x4x1f32 a[0:3], v2, v3, a[0:3]
	s_nop 7
	v_mfma_f32_4x4x1f32 a[0:3], v2, v3, a[0:3] cbsz:1 abid:2 blgp:3
	s_nop 15
	v_accvgpr_read_b32 v4, a0
	v_accvgpr_read_b32 v5, a1
	v_accvgpr_read_b32 v6, a2
	v_accvgpr_read_b32 v7, a3
	s_nop 1
	global_store_dwordx4 v1, v[4:7], s[6:7]
	s_endpgm

	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel mfma_f32
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 8
		.amdhsa_next_free_sgpr 16
	.end_amdhsa_kernel
