// Averages the bytes of words by sub-dword addressing.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx803"
	.text
	.globl	bytes
	.p2align	8
	.type	bytes,@function
bytes:
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	v_lshlrev_b32_e32 v1, 2, v0
	s_waitcnt lgkmcnt(0)
	buffer_load_dword v2, v1, s[4:7], 0 offen
	s_waitcnt vmcnt(0)
	v_add_u16_sdwa v3, v2, v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_0 src1_sel:BYTE_1
	v_add_u16_sdwa v4, v2, v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_2 src1_sel:BYTE_3
	v_add_u16_e32 v3, v3, v4
	v_lshrrev_b16_e32 v3, 2, v3
	v_cmp_lt_u16_sdwa vcc, v2, v3 src0_sel:BYTE_0 src1_sel:WORD_0
	v_cndmask_b32_e32 v3, v3, v2, vcc
	buffer_store_dword v3, v1, s[4:7], 0 offen
	s_endpgm

	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel bytes
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 8
		.amdhsa_next_free_sgpr 16
	.end_amdhsa_kernel
