// Weights five texels of an image by 1 4 6 4 1.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
	.text
	.globl	blur
	.p2align	8
	.type	blur,@function
blur:
	s_load_dwordx8 s[4:11], s[0:1], 0x0
	s_load_dwordx8 s[12:19], s[0:1], 0x20
	s_movk_i32 s20, 0xfffe
	v_mov_b32_e32 v2, 0
	s_mov_b32 s21, 0x3d800000
next:
	v_add_u32_e32 v4, s20, v0
	v_mov_b32_e32 v5, v1
	s_waitcnt lgkmcnt(0)
	image_load v6, v[4:5], s[4:11] dmask:0x1 unorm
	s_abs_i32 s22, s20
	s_cmp_eq_u32 s22, 0
	s_cselect_b32 s23, 0x40c00000, 4.0
	s_cmp_eq_u32 s22, 2
	s_cselect_b32 s23, 1.0, s23
	s_waitcnt vmcnt(0)
	v_mac_f32_e32 v2, s23, v6
	s_add_i32 s20, s20, 1
	s_cmp_le_i32 s20, 2
	s_cbranch_scc1 next
	v_mul_f32_e32 v2, s21, v2
	image_store v2, v[0:1], s[12:19] dmask:0x1 unorm
	s_endpgm

	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel blur
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_vgpr_workitem_id 1
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 28
	.end_amdhsa_kernel
