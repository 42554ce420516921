// Colours from bytes to floats and back to packed bytes.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx704"
	.text
	.globl	convert
	.p2align	8
	.type	convert,@function
convert:
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	v_lshlrev_b32_e32 v0, 2, v0
	s_waitcnt lgkmcnt(0)
	buffer_load_dword v1, v0, s[4:7], 0 offen
	s_waitcnt vmcnt(0)
	v_cvt_f32_ubyte0_e32 v2, v1
	v_cvt_f32_ubyte1_e32 v3, v1
	v_cvt_f32_ubyte2_e32 v4, v1
	v_cvt_f32_ubyte3_e32 v5, v1
	v_max_f32_e32 v2, v2, v3
	v_max3_f32 v2, v2, v4, v5
	v_cvt_pk_u8_f32 v6, v2, 0, 0
	v_cvt_pk_u8_f32 v6, v3, 1, v6
	v_cvt_pk_u8_f32 v6, v4, 2, v6
	buffer_store_dword v6, v0, s[4:7], 0 offen
	s_endpgm

	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel convert
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 8
		.amdhsa_next_free_sgpr 16
	.end_amdhsa_kernel
