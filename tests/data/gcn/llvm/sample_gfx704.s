// Samples a texture with derivatives, a level and a comparison.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx704"
	.text
	.globl	sample
	.p2align	8
	.type	sample,@function
sample:
	s_load_dwordx8 s[4:11], s[0:1], 0x0
	s_load_dwordx4 s[12:15], s[0:1], 0x8
	s_load_dwordx4 s[16:19], s[0:1], 0xc
	v_cvt_f32_u32_e32 v2, v0
	v_cvt_f32_u32_e32 v3, v1
	v_mov_b32_e32 v4, 0
	s_waitcnt lgkmcnt(0)
	image_sample v[5:8], v[2:3], s[4:11], s[12:15] dmask:0xf
	image_sample_l v9, v[2:4], s[4:11], s[12:15] dmask:0x8
	image_sample_c_lz v10, v[2:4], s[4:11], s[12:15] dmask:0x1
	s_waitcnt vmcnt(0)
	v_mac_f32_e32 v5, v9, v10
	v_lshlrev_b32_e32 v4, 4, v0
	buffer_store_dwordx4 v[5:8], v4, s[16:19], 0 offen
	s_endpgm

	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel sample
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_vgpr_workitem_id 1
		.amdhsa_next_free_vgpr 12
		.amdhsa_next_free_sgpr 32
	.end_amdhsa_kernel
