// Sorts 256 words in the local data share by a bitonic network.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx803"
	.text
	.globl	bitonic
	.p2align	8
	.type	bitonic,@function
bitonic:
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	s_mov_b32 m0, -1
	v_lshlrev_b32_e32 v1, 2, v0
	s_waitcnt lgkmcnt(0)
	buffer_load_dword v2, v1, s[4:7], 0 offen
	s_mov_b32 s8, 2
	s_waitcnt vmcnt(0)
	ds_write_b32 v1, v2
outer:
	s_lshr_b32 s9, s8, 1
inner:
	s_waitcnt lgkmcnt(0)
	s_barrier
	v_xor_b32_e32 v3, s9, v0
	v_lshlrev_b32_e32 v4, 2, v3
	ds_read_b32 v5, v1
	ds_read_b32 v6, v4
	s_waitcnt lgkmcnt(0)
	s_barrier
	v_min_u32_e32 v7, v5, v6
	v_max_u32_e32 v8, v5, v6
	v_and_b32_e32 v9, s8, v0
	v_cmp_eq_u32_e64 s[10:11], 0, v9
	v_cmp_lt_u32_e64 s[12:13], v0, v3
	s_xor_b64 s[10:11], s[10:11], s[12:13]
	v_cndmask_b32_e64 v5, v7, v8, s[10:11]
	ds_write_b32 v1, v5
	s_lshr_b32 s9, s9, 1
	s_cmp_lg_u32 s9, 0
	s_cbranch_scc1 inner
	s_lshl_b32 s8, s8, 1
	s_cmpk_le_u32 s8, 0x100
	s_cbranch_scc1 outer
	s_waitcnt lgkmcnt(0)
	ds_read_b32 v5, v1
	s_waitcnt lgkmcnt(0)
	buffer_store_dword v5, v1, s[4:7], 0 offen
	s_endpgm

	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel bitonic
		.amdhsa_group_segment_fixed_size 1024
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 10
		.amdhsa_next_free_sgpr 20
	.end_amdhsa_kernel
