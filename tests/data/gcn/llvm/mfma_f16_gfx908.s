// Halves multiplied into floats by the matrix unit.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx908"
	.text
	.globl	mfma_f16
	.p2align	8
	.type	mfma_f16,@function
mfma_f16:
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	v_lshlrev_b32_e32 v1, 3, v0
	v_accvgpr_write_b32 a0, 1.0
	v_accvgpr_write_b32 a1, 0
	v_accvgpr_write_b32 a2, -4
	v_accvgpr_write_b32 a3, v0
	s_waitcnt lgkmcnt(0)
	global_load_dwordx2 v[2:3], v1, s[4:5]
	global_load_dwordx2 v[4:5], v1, s[4:5] offset:512
	s_waitcnt vmcnt(0)
	s_nop 1
	v_mfma_f32_16x16x16f16 a[0:3], v[2:3], v[4:5], a[0:3]
	s_nop 15
	v_accvgpr_read_b32 v6, a0
	v_accvgpr_read_b32 v7, a1
	v_accvgpr_read_b32 v8, a2
	v_accvgpr_read_b32 v9, a3
	v_lshlrev_b32_e32 v1, 4, v0
	s_nop 0
	global_store_dwordx4 v1, v[6:9], s[6:7]
	s_endpgm

	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel mfma_f16
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 12
		.amdhsa_next_free_sgpr 16
	.end_amdhsa_kernel
