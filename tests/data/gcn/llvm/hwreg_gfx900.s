// Reads and sets fields of hardware registers, and the clock.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
	.text
	.globl	machine
	.p2align	8
	.type	machine,@function
machine:
	s_load_dwordx2 s[4:5], s[0:1], 0x0
	s_getreg_b32 s6, hwreg(HW_REG_HW_ID, 8, 4)
	s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 4), 0xf
	s_memtime s[8:9]
	s_sleep 1
	s_setprio 2
	s_waitcnt lgkmcnt(0)
	s_lshl_b32 s6, s6, 4
	s_add_u32 s8, s8, s6
	v_mov_b32_e32 v1, s8
	v_mov_b32_e32 v2, s9
	v_lshlrev_b32_e32 v0, 3, v0
	global_store_dwordx2 v0, v[1:2], s[4:5]
	s_sendmsg sendmsg(MSG_INTERRUPT)
	s_endpgm

	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel machine
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 6
		.amdhsa_next_free_sgpr 16
	.end_amdhsa_kernel
