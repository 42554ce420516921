// y = a x + y for each work-item, by buffers.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx600"
	.text
	.globl	saxpy
	.p2align	8
	.type	saxpy,@function
saxpy:
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	s_load_dwordx4 s[8:11], s[0:1], 0x4
	s_load_dword s12, s[0:1], 0x8
	s_lshl_b32 s2, s2, 6
	v_add_i32_e32 v0, vcc, s2, v0
	v_lshlrev_b32_e32 v0, 2, v0
	s_waitcnt lgkmcnt(0)
	buffer_load_dword v1, v0, s[4:7], 0 offen
	buffer_load_dword v2, v0, s[8:11], 0 offen
	s_waitcnt vmcnt(0)
	v_mac_f32_e32 v2, s12, v1
	buffer_store_dword v2, v0, s[8:11], 0 offen
	s_endpgm

	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel saxpy
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 8
		.amdhsa_next_free_sgpr 16
	.end_amdhsa_kernel
