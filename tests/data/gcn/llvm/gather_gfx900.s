// Gathers a component of four texels and averages it.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
	.text
	.globl	gather
	.p2align	8
	.type	gather,@function
gather:
	s_load_dwordx8 s[4:11], s[0:1], 0x0
	s_load_dwordx4 s[12:15], s[0:1], 0x20
	s_load_dwordx2 s[16:17], s[0:1], 0x30
	v_cvt_f32_u32_e32 v2, v0
	v_cvt_f32_u32_e32 v3, v1
	s_waitcnt lgkmcnt(0)
	image_gather4_lz v[4:7], v[2:3], s[4:11], s[12:15] dmask:0x2
	image_sample v8, v[2:3], s[4:11], s[12:15] dmask:0x3 d16
	s_waitcnt vmcnt(1)
	v_add_f32_e32 v4, v4, v5
	v_add_f32_e32 v6, v6, v7
	v_add_f32_e32 v4, v4, v6
	s_waitcnt vmcnt(0)
	v_cvt_f32_f16_e32 v8, v8
	v_fma_f32 v4, v4, 0.5, v8
	v_lshlrev_b32_e32 v0, 2, v0
	global_store_dword v0, v4, s[16:17]
	s_endpgm

	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel gather
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_vgpr_workitem_id 1
		.amdhsa_next_free_vgpr 12
		.amdhsa_next_free_sgpr 32
	.end_amdhsa_kernel
