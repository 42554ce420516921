// A 3 by 1 blur of an image, texel by texel.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx600"
	.text
	.globl	blur
	.p2align	8
	.type	blur,@function
blur:
	s_load_dwordx8 s[4:11], s[0:1], 0x0
	s_load_dwordx8 s[12:19], s[0:1], 0x8
	v_subrev_i32_e32 v2, vcc, 1, v0
	v_mov_b32_e32 v3, v1
	v_add_i32_e32 v4, vcc, 1, v0
	v_mov_b32_e32 v5, v1
	s_mov_b32 s20, 0x3eaaaaab
	s_waitcnt lgkmcnt(0)
	image_load v[6:8], v[2:3], s[4:11] dmask:0x7 unorm
	image_load v[9:11], v[0:1], s[4:11] dmask:0x7 unorm
	image_load v[12:14], v[4:5], s[4:11] dmask:0x7 unorm
	s_waitcnt vmcnt(1)
	v_add_f32_e32 v6, v6, v9
	v_add_f32_e32 v7, v7, v10
	v_add_f32_e32 v8, v8, v11
	s_waitcnt vmcnt(0)
	v_add_f32_e32 v6, v6, v12
	v_add_f32_e32 v7, v7, v13
	v_add_f32_e32 v8, v8, v14
	v_mul_f32_e32 v6, s20, v6
	v_mul_f32_e32 v7, s20, v7
	v_mul_f32_e32 v8, s20, v8
	image_store v[6:8], v[0:1], s[12:19] dmask:0x7 unorm
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
