	.amdgcn_target "amdgcn-amd-amdhsa--gfx803"
	.text
	.amdhsa_code_object_version 4
k:
	s_add_i32 s12, s12, s17
	s_lshr_b32 flat_scratch_hi, s12, 8
	s_add_u32 s0, s0, s17
	s_addc_u32 s1, s1, 0
	v_mov_b32_e32 v1, 0
	s_mov_b32 s4, 0
	v_mov_b32_e32 v2, 0
	s_mov_b32 flat_scratch_lo, s13
.LBB0_1:
	s_add_i32 s4, s4, 1
	buffer_store_dword v2, v1, s[0:3], 0 offen
	s_waitcnt vmcnt(0)
	v_add_u32_e32 v2, vcc, v2, v0
	s_cmp_lt_u32 s4, 8
	v_add_u32_e32 v1, vcc, 4, v1
	s_cbranch_scc1 .LBB0_1
	s_load_dwordx4 s[8:11], s[8:9], 0x0
	v_lshlrev_b32_e32 v2, 2, v0
	s_load_dword s4, s[6:7], 0x44
	s_waitcnt lgkmcnt(0)
	v_mov_b32_e32 v1, s11
	v_add_u32_e32 v0, vcc, s10, v2
	v_addc_u32_e32 v1, vcc, 0, v1, vcc
	flat_load_dword v0, v[0:1]
	v_mov_b32_e32 v1, s4
	s_waitcnt vmcnt(0)
	v_and_b32_e32 v0, 7, v0
	v_lshlrev_b32_e32 v0, 2, v0
	v_add_u32_e32 v0, vcc, 0, v0
	flat_load_dword v3, v[0:1] glc
	s_waitcnt vmcnt(0)
	v_mov_b32_e32 v1, s9
	v_add_u32_e32 v0, vcc, s8, v2
	v_addc_u32_e32 v1, vcc, 0, v1, vcc
	s_waitcnt lgkmcnt(0)
	flat_store_dword v[0:1], v3
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
		.amdhsa_user_sgpr_private_segment_size 0
		.amdhsa_system_sgpr_private_segment_wavefront_offset 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 1
		.amdhsa_system_sgpr_workgroup_id_z 1
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 2
		.amdhsa_next_free_vgpr 4
		.amdhsa_next_free_sgpr 18
		.amdhsa_dx10_clamp 1
		.amdhsa_ieee_mode 1
	.end_amdhsa_kernel
