// One round of SHA-256 on the state of each lane.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx803"
	.text
	.globl	sha_round
	.p2align	8
	.type	sha_round,@function
sha_round:
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	s_load_dwordx2 s[8:9], s[0:1], 0x10
	v_lshlrev_b32_e32 v0, 5, v0
	s_waitcnt lgkmcnt(0)
	buffer_load_dwordx4 v[1:4], v0, s[4:7], 0 offen
	buffer_load_dwordx4 v[5:8], v0, s[4:7], 0 offen offset:16
	s_waitcnt vmcnt(0)
	v_alignbit_b32 v9, v5, v5, 6
	v_alignbit_b32 v10, v5, v5, 11
	v_xor_b32_e32 v9, v9, v10
	v_alignbit_b32 v10, v5, v5, 25
	v_xor_b32_e32 v9, v9, v10
	v_bfi_b32 v10, v5, v6, v7
	v_add_u32_e32 v9, vcc, v9, v10
	v_add_u32_e32 v9, vcc, v9, v8
	v_add_u32_e32 v9, vcc, s8, v9
	v_add_u32_e32 v9, vcc, s9, v9
	v_alignbit_b32 v10, v1, v1, 2
	v_alignbit_b32 v11, v1, v1, 13
	v_xor_b32_e32 v10, v10, v11
	v_alignbit_b32 v11, v1, v1, 22
	v_xor_b32_e32 v10, v10, v11
	v_xor_b32_e32 v11, v1, v2
	v_bfi_b32 v11, v11, v3, v2
	v_add_u32_e32 v10, vcc, v10, v11
	v_add_u32_e32 v8, vcc, v4, v9
	v_add_u32_e32 v4, vcc, v9, v10
	buffer_store_dword v4, v0, s[4:7], 0 offen
	buffer_store_dword v8, v0, s[4:7], 0 offen offset:16
	s_endpgm

	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel sha_round
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 24
	.end_amdhsa_kernel
