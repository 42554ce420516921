// Packed 16-bit texels on the chip of gfx8 that has them.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx810"
	.text
	.globl	packed_d16
	.p2align	8
	.type	packed_d16,@function
packed_d16:
	s_load_dwordx8 s[4:11], s[0:1], 0x0
	s_load_dwordx4 s[12:15], s[0:1], 0x20
	s_waitcnt lgkmcnt(0)
	image_load v[2:3], v[0:1], s[4:11] dmask:0xf unorm d16
	s_waitcnt vmcnt(0)
	v_lshlrev_b32_e32 v0, 3, v0
	buffer_store_format_d16_xyzw v[2:3], v0, s[12:15], 0 offen
	s_endpgm

	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel packed_d16
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_vgpr_workitem_id 1
		.amdhsa_next_free_vgpr 8
		.amdhsa_next_free_sgpr 24
	.end_amdhsa_kernel
