// Messages of a geometry shader.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
	.text
	.globl	emit
	.p2align	8
	.type	emit,@function
emit:
	s_mov_b32 m0, s2
	s_nop 0
	s_sendmsg sendmsg(MSG_GS, GS_OP_EMIT, 0)
	s_sendmsg sendmsg(MSG_GS, GS_OP_EMIT_CUT, 0)
	s_waitcnt vmcnt(0)
	s_sendmsg sendmsg(MSG_GS_DONE, GS_OP_NOP)
	s_endpgm

	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel emit
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 6
		.amdhsa_next_free_sgpr 20
	.end_amdhsa_kernel
