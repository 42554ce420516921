// A complex product of packed halves.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
	.text
	.globl	packed
	.p2align	8
	.type	packed,@function
packed:
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	v_lshlrev_b32_e32 v1, 3, v0
	s_waitcnt lgkmcnt(0)
	global_load_dwordx2 v[2:3], v1, s[4:5]
	s_waitcnt vmcnt(0)
	v_pk_mul_f16 v4, v2, v3 op_sel:[1,1] op_sel_hi:[1,0] neg_lo:[1,0]
	v_pk_fma_f16 v4, v2, v3, v4 op_sel_hi:[0,1,1]
	v_lshlrev_b32_e32 v1, 2, v0
	global_store_dword v1, v4, s[6:7]
	s_endpgm

	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel packed
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 8
		.amdhsa_next_free_sgpr 16
	.end_amdhsa_kernel
