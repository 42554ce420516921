// The end of a pixel shader: attributes, a kill, packed colours.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx803"
	.text
	.globl	pixel
	.p2align	8
	.type	pixel,@function
pixel:
	s_mov_b32 m0, s2
	v_interp_p1_f32_e32 v2, v0, attr0.x
	v_interp_p2_f32_e32 v2, v1, attr0.x
	v_interp_p1_f32_e32 v3, v0, attr0.y
	v_interp_p2_f32_e32 v3, v1, attr0.y
	v_interp_mov_f32_e32 v4, p0, attr1.w
	v_cmpx_lt_f32_e32 vcc, 0, v2
	v_cvt_pkrtz_f16_f32 v2, v2, v3
	v_cvt_pkrtz_f16_f32 v3, v4, 1.0
	exp mrt0 v2, v2, v3, v3 done compr vm
	s_endpgm

	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel pixel
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 8
		.amdhsa_next_free_sgpr 24
	.end_amdhsa_kernel
