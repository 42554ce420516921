// Both ways of a condition, then a loop that lanes leave one by one.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx600"
	.text
	.globl	branchy
	.p2align	8
	.type	branchy,@function
branchy:
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	v_lshlrev_b32_e32 v1, 2, v0
	s_waitcnt lgkmcnt(0)
	buffer_load_dword v2, v1, s[4:7], 0 offen
	s_waitcnt vmcnt(0)
	v_cmp_gt_i32_e32 vcc, 0, v2
	s_and_saveexec_b64 s[8:9], vcc
	s_xor_b64 s[8:9], exec, s[8:9]
	s_cbranch_execz positive
	v_sub_i32_e32 v2, vcc, 0, v2
positive:
	s_or_saveexec_b64 s[8:9], s[8:9]
	s_xor_b64 exec, exec, s[8:9]
	v_lshlrev_b32_e32 v2, 1, v2
	s_or_b64 exec, exec, s[8:9]
	s_mov_b64 s[10:11], exec
again:
	v_lshrrev_b32_e32 v2, 1, v2
	v_cmp_lt_u32_e32 vcc, 16, v2
	s_and_b64 exec, exec, vcc
	s_cbranch_execnz again
	s_mov_b64 exec, s[10:11]
	buffer_store_dword v2, v1, s[4:7], 0 offen
	s_endpgm

	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel branchy
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 8
		.amdhsa_next_free_sgpr 20
	.end_amdhsa_kernel
