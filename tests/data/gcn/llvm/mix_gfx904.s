// Halves and floats mixed in one multiplication.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx904"
	.text
	.globl	mixed
	.p2align	8
	.type	mixed,@function
mixed:
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	v_lshlrev_b32_e32 v1, 2, v0
	s_waitcnt lgkmcnt(0)
	global_load_dword v2, v1, s[4:5]
	s_waitcnt vmcnt(0)
	v_fma_mix_f32 v3, v2, v2, v2 op_sel:[0,1,0] op_sel_hi:[1,1,0]
	v_fma_mixlo_f16 v4, v3, -v2, |v3| op_sel_hi:[0,1,0]
	v_fma_mixhi_f16 v4, v3, v3, 1.0
	global_store_dword v1, v4, s[6:7]
	s_endpgm

	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel mixed
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 8
		.amdhsa_next_free_sgpr 16
	.end_amdhsa_kernel
