// A random number for each lane by shifts and exclusive or.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx904"
	.text
	.globl	xorshift
	.p2align	8
	.type	xorshift,@function
xorshift:
	s_load_dwordx2 s[4:5], s[0:1], 0x0
	v_lshlrev_b32_e32 v1, 2, v0
	v_xor_b32_e32 v2, 0x9e3779b9, v0
	s_mov_b32 s6, 8
step:
	v_lshlrev_b32_e32 v3, 13, v2
	v_xor_b32_e32 v2, v2, v3
	v_lshrrev_b32_e32 v3, 17, v2
	v_xor_b32_e32 v2, v2, v3
	v_lshl_or_b32 v3, v2, 5, 0
	v_xor_b32_e32 v2, v2, v3
	s_addk_i32 s6, 0xffff
	s_cmp_gt_i32 s6, 0
	s_cbranch_scc1 step
	s_waitcnt lgkmcnt(0)
	global_store_dword v1, v2, s[4:5]
	s_endpgm

	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel xorshift
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 6
		.amdhsa_next_free_sgpr 16
	.end_amdhsa_kernel
