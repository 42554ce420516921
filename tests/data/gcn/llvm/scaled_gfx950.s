// A scaled product of floats of 4 and 8 bits, transposed reads of local data share, truth tables.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx950"
	.text
	.globl	scaled
	.p2align	8
	.type	scaled,@function
scaled:
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	v_and_b32_e32 v0, 0x3ff, v0
	v_lshlrev_b32_e32 v0, 4, v0
	v_mov_b32_e32 v30, 0x7f
	v_mov_b32_e32 v31, 0x80
	s_waitcnt lgkmcnt(0)
	global_load_dwordx4 v[4:7], v0, s[4:5]
	global_load_dwordx4 v[8:11], v0, s[4:5] offset:1024
	global_load_dwordx4 v[12:15], v0, s[4:5] offset:2048
	s_waitcnt vmcnt(0)
	ds_write_b128 v0, v[4:7]
	s_waitcnt lgkmcnt(0)
	s_barrier
	ds_read_b64_tr_b16 v[24:25], v0
	ds_read_b64_tr_b8 v[26:27], v0 offset:512
	s_waitcnt lgkmcnt(0)
	v_mfma_scale_f32_16x16x128_f8f6f4 v[16:19], v[4:11], v[12:15], 0, v30, v31 op_sel_hi:[0,0,0] blgp:4
	v_mfma_f32_16x16x32_bf16 v[20:23], v[24:27], v[4:7], 0
	s_nop 7
	s_nop 7
	v_bitop3_b32 v4, v16, v20, v17 bitop3:0x96
	v_permlane32_swap_b32_e32 v18, v19
	v_cvt_pk_bf16_f32 v5, v16, v20
	v_cvt_scalef32_pk_f32_fp4 v[6:7], v4, v30
	v_prng_b32_e32 v4, v4
	global_store_dwordx4 v0, v[4:7], s[6:7]
	s_endpgm

	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel scaled
		.amdhsa_group_segment_fixed_size 16384
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_accum_offset 32
		.amdhsa_next_free_vgpr 32
		.amdhsa_next_free_sgpr 16
	.end_amdhsa_kernel
