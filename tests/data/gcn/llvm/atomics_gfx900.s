// Atomics of global memory, with and without what was there before.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
	.text
	.globl	atomics
	.p2align	8
	.type	atomics,@function
atomics:
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	v_lshlrev_b32_e32 v1, 3, v0
	v_mov_b32_e32 v2, 1
	v_mov_b32_e32 v3, 0
	s_waitcnt lgkmcnt(0)
	global_atomic_add v1, v2, s[4:5]
	global_atomic_umax v4, v1, v2, s[4:5] glc
	global_atomic_cmpswap v5, v1, v[2:3], s[4:5] offset:4 glc
	global_atomic_add_x2 v1, v[2:3], s[4:5] offset:-8 slc
	s_waitcnt vmcnt(0)
	v_add_u32_e32 v4, v4, v5
	global_store_dword v1, v4, s[6:7]
	s_endpgm

	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel atomics
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 10
		.amdhsa_next_free_sgpr 16
	.end_amdhsa_kernel
