// Transposes a tile of 32 by 32 in the local data share; rows are padded by a word.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
	.text
	.globl	transpose
	.p2align	8
	.type	transpose,@function
transpose:
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	v_and_b32_e32 v1, 31, v0
	v_lshrrev_b32_e32 v2, 5, v0
	v_lshlrev_b32_e32 v3, 2, v0
	s_movk_i32 s8, 0x84
	v_mul_u32_u24_e32 v4, s8, v2
	v_lshl_add_u32 v4, v1, 2, v4
	v_mul_u32_u24_e32 v5, s8, v1
	v_lshl_add_u32 v5, v2, 2, v5
	s_waitcnt lgkmcnt(0)
	global_load_dword v6, v3, s[4:5]
	s_waitcnt vmcnt(0)
	ds_write_b32 v4, v6
	s_waitcnt lgkmcnt(0)
	s_barrier
	ds_read_b32 v7, v5
	s_waitcnt lgkmcnt(0)
	global_store_dword v3, v7, s[6:7]
	s_endpgm

	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel transpose
		.amdhsa_group_segment_fixed_size 4352
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 8
		.amdhsa_next_free_sgpr 16
	.end_amdhsa_kernel
