// Floats of 8 bits: converted, multiplied by the matrix unit, dense and sparse.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
	.text
	.globl	bytes
	.p2align	8
	.type	bytes,@function
bytes:
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	v_and_b32_e32 v0, 0x3ff, v0
	v_lshlrev_b32_e32 v0, 4, v0
	v_mov_b64_e32 v[20:21], 0
	v_mov_b64_e32 v[22:23], 0
	v_mov_b32_e32 v24, 0
	s_waitcnt lgkmcnt(0)
	global_load_dwordx4 v[4:7], v0, s[4:5] sc0
	global_load_dwordx4 v[8:11], v0, s[4:5] offset:1024 nt
	s_waitcnt vmcnt(0)
	v_cvt_pk_fp8_f32 v12, v4, v5
	s_nop 0
	v_cvt_pk_fp8_f32 v12, v6, v7 op_sel:[0,0,1]
	v_cvt_pk_bf8_f32 v13, v8, v9
	s_nop 0
	v_cvt_pk_bf8_f32 v13, v10, v11 op_sel:[0,0,1]
	s_nop 1
	v_mfma_f32_16x16x32_fp8_bf8 v[16:19], v[12:13], v[12:13], 0
	v_smfmac_f32_16x16x64_bf8_fp8 v[20:23], v[12:13], v[4:7], v24
	s_nop 7
	s_nop 7
	v_cvt_f32_fp8_sdwa v4, v12 src0_sel:BYTE_1
	v_pk_add_f32 v[16:17], v[16:17], v[20:21]
	v_pk_add_f32 v[18:19], v[18:19], v[22:23]
	global_store_dwordx4 v0, v[16:19], s[6:7] sc1
	buffer_wbl2 sc1
	s_waitcnt vmcnt(0)
	buffer_inv sc1
	s_endpgm

	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel bytes
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_accum_offset 28
		.amdhsa_next_free_vgpr 28
		.amdhsa_next_free_sgpr 16
	.end_amdhsa_kernel
