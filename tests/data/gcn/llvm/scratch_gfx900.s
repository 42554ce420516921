// Puts values into scratch memory and takes them back.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
	.text
	.globl	spill
	.p2align	8
	.type	spill,@function
spill:
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	v_lshlrev_b32_e32 v1, 2, v0
	v_mov_b32_e32 v2, 16
	s_mov_b32 s8, 0
	s_waitcnt lgkmcnt(0)
	global_load_dword v3, v1, s[4:5]
	s_waitcnt vmcnt(0)
	scratch_store_dword v2, v3, off offset:4
	s_waitcnt vmcnt(0)
	scratch_load_dword v4, off, s8 offset:20
	s_waitcnt vmcnt(0)
	global_store_dword v1, v4, s[6:7]
	s_endpgm

	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel spill
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 8
		.amdhsa_next_free_sgpr 16
	.end_amdhsa_kernel
