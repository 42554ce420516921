// Iterations until a point of the plane runs away, at most 255.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx600"
	.text
	.globl	mandelbrot
	.p2align	8
	.type	mandelbrot,@function
mandelbrot:
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	v_cvt_f32_u32_e32 v2, v0
	v_cvt_f32_u32_e32 v3, v1
	s_mov_b32 s8, 0x3c000000
	v_mad_f32 v2, v2, s8, -2.0
	v_mad_f32 v3, v3, s8, -1.0
	v_mov_b32_e32 v4, 0
	v_mov_b32_e32 v5, 0
	v_mov_b32_e32 v6, 0
	s_mov_b64 s[10:11], exec
	s_movk_i32 s9, 0xff
iterate:
	v_mul_f32_e32 v7, v4, v4
	v_mul_f32_e32 v8, v5, v5
	v_add_f32_e32 v9, v7, v8
	v_cmp_gt_f32_e32 vcc, 4.0, v9
	s_and_b64 exec, exec, vcc
	s_cbranch_execz finished
	v_mul_f32_e32 v9, v4, v5
	v_sub_f32_e32 v7, v7, v8
	v_add_f32_e32 v4, v7, v2
	v_mad_f32 v5, v9, 2.0, v3
	v_add_i32_e32 v6, vcc, 1, v6
	s_sub_i32 s9, s9, 1
	s_cmp_lg_u32 s9, 0
	s_cbranch_scc1 iterate
finished:
	s_mov_b64 exec, s[10:11]
	v_lshlrev_b32_e32 v10, 8, v1
	v_or_b32_e32 v10, v10, v0
	s_waitcnt lgkmcnt(0)
	buffer_store_byte v6, v10, s[4:7], 0 offen
	s_endpgm

	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel mandelbrot
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_vgpr_workitem_id 1
		.amdhsa_next_free_vgpr 12
		.amdhsa_next_free_sgpr 16
	.end_amdhsa_kernel
