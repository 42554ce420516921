// An element of a product of square matrices of 64.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx803"
	.text
	.globl	matmul
	.p2align	8
	.type	matmul,@function
matmul:
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	s_load_dwordx4 s[8:11], s[0:1], 0x10
	s_load_dwordx4 s[12:15], s[0:1], 0x20
	v_lshlrev_b32_e32 v2, 8, v1
	v_lshlrev_b32_e32 v3, 2, v0
	v_mov_b32_e32 v4, v2
	v_mov_b32_e32 v5, v3
	v_mov_b32_e32 v6, 0
	s_mov_b32 s16, 64
	s_waitcnt lgkmcnt(0)
product:
	buffer_load_dword v7, v4, s[4:7], 0 offen
	buffer_load_dword v8, v5, s[8:11], 0 offen
	v_add_u32_e32 v4, vcc, 4, v4
	s_movk_i32 s17, 0x100
	v_add_u32_e32 v5, vcc, s17, v5
	s_sub_u32 s16, s16, 1
	s_cmp_lg_u32 s16, 0
	s_waitcnt vmcnt(0)
	v_mac_f32_e32 v6, v7, v8
	s_cbranch_scc1 product
	v_add_u32_e32 v2, vcc, v2, v3
	buffer_store_dword v6, v2, s[12:15], 0 offen
	s_endpgm

	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel matmul
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_vgpr_workitem_id 1
		.amdhsa_next_free_vgpr 10
		.amdhsa_next_free_sgpr 24
	.end_amdhsa_kernel
