// Reads registers by an index in M0.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx803"
	.text
	.globl	indexed
	.p2align	8
	.type	indexed,@function
indexed:
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	s_load_dword s8, s[0:1], 0x10
	v_mov_b32_e32 v1, 0x41
	v_mov_b32_e32 v2, 0x42
	v_mov_b32_e32 v3, 0x43
	v_lshlrev_b32_e32 v0, 2, v0
	s_waitcnt lgkmcnt(0)
	s_and_b32 s8, s8, 1
	s_set_gpr_idx_on s8, gpr_idx(SRC0)
	v_mov_b32_e32 v4, v1
	s_set_gpr_idx_off
	s_mov_b32 m0, s8
	s_nop 0
	v_movrels_b32_e32 v5, v2
	v_add_u32_e32 v4, vcc, v4, v5
	v_add_u32_e32 v4, vcc, v4, v3
	buffer_store_dword v4, v0, s[4:7], 0 offen
	s_endpgm

	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel indexed
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 12
		.amdhsa_next_free_sgpr 16
	.end_amdhsa_kernel
