	.amdgcn_target "amdgcn-amd-amdhsa--gfx90a"
	.text
	.amdhsa_code_object_version 4
k:
	s_add_u32 flat_scratch_lo, s12, s17
	s_addc_u32 flat_scratch_hi, s13, 0
	s_add_u32 s0, s0, s17
	s_addc_u32 s1, s1, 0
	v_mov_b32_e32 v1, 0
	s_mov_b32 s4, 0
	v_and_b32_e32 v0, 0x3ff, v0
	v_mov_b32_e32 v2, 0
.LBB0_1:
	s_add_i32 s4, s4, 1
	buffer_store_dword v2, v1, s[0:3], 0 offen
	s_waitcnt vmcnt(0)
	v_add_u32_e32 v2, v2, v0
	s_cmp_lt_u32 s4, 8
	v_add_u32_e32 v1, 4, v1
	s_cbranch_scc1 .LBB0_1
	s_load_dwordx4 s[4:7], s[8:9], 0x0
	v_lshlrev_b32_e32 v2, 2, v0
	v_mov_b32_e32 v1, 0
	s_waitcnt lgkmcnt(0)
	global_load_dword v0, v2, s[6:7]
	s_mov_b64 s[6:7], src_private_base
	s_waitcnt vmcnt(0)
	v_and_b32_e32 v0, 7, v0
	v_lshl_add_u32 v0, v0, 2, v1
	v_mov_b32_e32 v1, s7
	flat_load_dword v0, v[0:1] glc
	s_waitcnt vmcnt(0) lgkmcnt(0)
	global_store_dword v2, v0, s[4:5]
	s_endpgm
	.amdhsa_kernel k
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 36
		.amdhsa_kernarg_size 72
		.amdhsa_user_sgpr_count 14
		.amdhsa_user_sgpr_private_segment_buffer 1
		.amdhsa_user_sgpr_dispatch_ptr 1
		.amdhsa_user_sgpr_queue_ptr 1
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_user_sgpr_dispatch_id 1
		.amdhsa_user_sgpr_flat_scratch_init 1
		.amdhsa_user_sgpr_kernarg_preload_length 0
		.amdhsa_user_sgpr_kernarg_preload_offset 0
		.amdhsa_user_sgpr_private_segment_size 0
		.amdhsa_system_sgpr_private_segment_wavefront_offset 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 1
		.amdhsa_system_sgpr_workgroup_id_z 1
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 2
		.amdhsa_next_free_vgpr 3
		.amdhsa_next_free_sgpr 18
		.amdhsa_accum_offset 4
		.amdhsa_dx10_clamp 1
		.amdhsa_ieee_mode 1
		.amdhsa_fp16_overflow 0
		.amdhsa_tg_split 0
	.end_amdhsa_kernel
