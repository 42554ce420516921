// Sums of products of bfloat16 in vector and accumulation registers, and packed floats.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx90a"
	.text
	.globl	tile_bf16
	.p2align	8
	.type	tile_bf16,@function
tile_bf16:
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	v_and_b32_e32 v0, 0x3ff, v0
	v_lshlrev_b32_e32 v0, 3, v0
	s_waitcnt lgkmcnt(0)
	global_load_dwordx2 v[2:3], v0, s[4:5]
	global_load_dwordx2 a[8:9], v0, s[4:5] offset:2048 glc
	v_accvgpr_write_b32 a0, 0
	v_accvgpr_write_b32 a1, 0
	v_accvgpr_write_b32 a2, 0
	v_accvgpr_write_b32 a3, 0
	s_waitcnt vmcnt(0)
	s_nop 1
	v_mfma_f32_16x16x16bf16_1k a[0:3], v[2:3], a[8:9], a[0:3]
	v_mfma_f32_16x16x16bf16_1k v[4:7], v[2:3], a[8:9], 1.0
	s_nop 7
	s_nop 7
	s_nop 3
	v_accvgpr_read_b32 v8, a0
	v_accvgpr_read_b32 v9, a1
	v_pk_add_f32 v[4:5], v[4:5], v[8:9]
	v_pk_mul_f32 v[6:7], v[6:7], v[4:5] op_sel_hi:[1,0]
	v_pk_fma_f32 v[4:5], v[6:7], v[4:5], v[8:9] neg_lo:[0,0,1]
	v_lshlrev_b32_e32 v0, 1, v0
	global_store_dwordx4 v0, v[4:7], s[6:7]
	global_store_dwordx4 v0, a[0:3], s[6:7] offset:1024
	v_fmac_f64_e32 v[4:5], v[6:7], v[8:9]
	s_nop 1
	v_ceil_f64_dpp v[10:11], v[4:5] row_newbcast:3 row_mask:0xf bank_mask:0xf
	global_atomic_add_f64 v0, v[10:11], s[6:7] offset:2048
	s_endpgm

	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel tile_bf16
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_accum_offset 12
		.amdhsa_next_free_vgpr 22
		.amdhsa_next_free_sgpr 16
	.end_amdhsa_kernel
