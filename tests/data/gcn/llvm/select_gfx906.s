// Chooses the median of three, then packs two of them.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx906"
	.text
	.globl	select
	.p2align	8
	.type	select,@function
select:
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	v_lshlrev_b32_e32 v1, 4, v0
	s_mov_b32 s8, 0x5040100
	s_waitcnt lgkmcnt(0)
	global_load_dwordx3 v[2:4], v1, s[4:5]
	s_waitcnt vmcnt(0)
	v_med3_f32 v5, v2, v3, v4
	v_min3_f32 v6, v2, v3, |v4|
	v_cvt_pkrtz_f16_f32 v5, v5, v6
	v_perm_b32 v6, v5, v6, s8
	v_and_or_b32 v5, v5, v6, 1
	v_lshlrev_b32_e32 v1, 2, v0
	global_store_dword v1, v5, s[6:7]
	s_endpgm

	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel select
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 8
		.amdhsa_next_free_sgpr 16
	.end_amdhsa_kernel
