// A vertex shader: fetches a position and exports it.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx600"
	.text
	.globl	vertex
	.p2align	8
	.type	vertex,@function
vertex:
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	s_waitcnt lgkmcnt(0)
	tbuffer_load_format_xyzw v[4:7], v0, s[4:7], 0 format:[BUF_DATA_FORMAT_32_32_32_32,BUF_NUM_FORMAT_FLOAT] idxen
	s_waitcnt vmcnt(0)
	v_mul_f32_e32 v8, 0.5, v4
	exp pos0 v4, v5, v6, v7 done
	exp param0 v8, v5, off, off
	s_endpgm

	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel vertex
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 12
		.amdhsa_next_free_sgpr 24
	.end_amdhsa_kernel
