// Counts bits of words, of lanes before this one, and of a mask.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx600"
	.text
	.globl	popcount
	.p2align	8
	.type	popcount,@function
popcount:
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	v_lshlrev_b32_e32 v1, 2, v0
	s_waitcnt lgkmcnt(0)
	buffer_load_dword v2, v1, s[4:7], 0 offen
	s_waitcnt vmcnt(0)
	v_cmp_ne_u32_e32 vcc, 0, v2
	s_bcnt1_i32_b64 s8, vcc
	v_mbcnt_lo_u32_b32_e64 v3, vcc_lo, 0
	v_mbcnt_hi_u32_b32_e32 v3, vcc_hi, v3
	v_bcnt_u32_b32_e64 v2, v2, s8
	v_ffbh_u32_e32 v4, v2
	v_add_i32_e32 v2, vcc, v2, v3
	v_add_i32_e32 v2, vcc, v2, v4
	buffer_store_dword v2, v1, s[4:7], 0 offen
	s_endpgm

	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel popcount
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 6
		.amdhsa_next_free_sgpr 20
	.end_amdhsa_kernel
