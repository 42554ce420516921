// Counts the bytes of a buffer with atomics of the local data share.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx704"
	.text
	.globl	histogram
	.p2align	8
	.type	histogram,@function
histogram:
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	s_load_dwordx4 s[8:11], s[0:1], 0x4
	s_mov_b32 m0, -1
	v_lshlrev_b32_e32 v1, 2, v0
	v_mov_b32_e32 v2, 0
	v_mov_b32_e32 v3, 1
	ds_write_b32 v1, v2
	s_waitcnt lgkmcnt(0)
	s_barrier
	buffer_load_dword v4, v1, s[4:7], 0 offen
	s_waitcnt vmcnt(0)
	v_bfe_u32 v5, v4, 0, 8
	v_lshlrev_b32_e32 v5, 2, v5
	ds_add_u32 v5, v3
	v_bfe_u32 v5, v4, 8, 8
	v_lshlrev_b32_e32 v5, 2, v5
	ds_add_u32 v5, v3
	v_bfe_u32 v5, v4, 16, 8
	v_lshlrev_b32_e32 v5, 2, v5
	ds_add_u32 v5, v3
	v_lshrrev_b32_e32 v5, 24, v4
	v_lshlrev_b32_e32 v5, 2, v5
	ds_add_u32 v5, v3
	s_waitcnt lgkmcnt(0)
	s_barrier
	ds_read_b32 v4, v1
	s_waitcnt lgkmcnt(0)
	buffer_atomic_add v4, v1, s[8:11], 0 offen
	s_endpgm

	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel histogram
		.amdhsa_group_segment_fixed_size 1024
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 6
		.amdhsa_next_free_sgpr 16
	.end_amdhsa_kernel
