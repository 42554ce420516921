// y = a x + y for each work-item, by global memory.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
	.text
	.globl	saxpy
	.p2align	8
	.type	saxpy,@function
saxpy:
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	s_load_dword s8, s[0:1], 0x10
	v_lshl_add_u32 v0, s2, 8, v0
	v_lshlrev_b32_e32 v0, 2, v0
	v_mov_b32_e32 v3, 0
	s_waitcnt lgkmcnt(0)
	v_mov_b32_e32 v2, s5
	v_add_co_u32_e32 v1, vcc, s4, v0
	v_addc_co_u32_e32 v2, vcc, v2, v3, vcc
	global_load_dword v1, v[1:2], off
	global_load_dword v3, v0, s[6:7]
	s_waitcnt vmcnt(0)
	v_mac_f32_e32 v3, s8, v1
	global_store_dword v0, v3, s[6:7]
	s_endpgm

	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel saxpy
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 4
		.amdhsa_next_free_sgpr 16
	.end_amdhsa_kernel
