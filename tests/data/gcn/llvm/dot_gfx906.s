// Dot products of halves, bytes and nibbles.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx906"
	.text
	.globl	dots
	.p2align	8
	.type	dots,@function
dots:
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	v_lshlrev_b32_e32 v1, 3, v0
	v_mov_b32_e32 v4, 0
	v_mov_b32_e32 v5, 0
	v_mov_b32_e32 v6, 0
	s_waitcnt lgkmcnt(0)
	global_load_dwordx2 v[2:3], v1, s[4:5]
	s_waitcnt vmcnt(0)
	v_dot2_f32_f16 v4, v2, v3, v4
	v_dot4_i32_i8 v5, v2, v3, v5 clamp
	v_dot8_u32_u4 v6, v2, v3, v6
	global_store_dwordx3 v1, v[4:6], s[6:7]
	s_endpgm

	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel dots
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 8
		.amdhsa_next_free_sgpr 16
	.end_amdhsa_kernel
