// A polynomial in double precision by Horner.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx704"
	.text
	.globl	doubles
	.p2align	8
	.type	doubles,@function
doubles:
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	v_lshlrev_b32_e32 v0, 3, v0
	v_mov_b32_e32 v3, 0
	v_mov_b32_e32 v4, 0x3ff80000
	s_waitcnt lgkmcnt(0)
	buffer_load_dwordx2 v[1:2], v0, s[4:7], 0 offen
	s_waitcnt vmcnt(0)
	v_fma_f64 v[5:6], v[1:2], 0.5, v[3:4]
	v_fma_f64 v[5:6], v[5:6], v[1:2], 1.0
	v_mul_f64 v[5:6], v[5:6], |v[1:2]|
	v_floor_f64_e32 v[7:8], v[5:6]
	v_add_f64 v[5:6], v[5:6], -v[7:8]
	v_max_f64 v[5:6], v[5:6], 0
	buffer_store_dwordx2 v[5:6], v0, s[4:7], 0 offen
	s_endpgm

	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel doubles
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 16
	.end_amdhsa_kernel
