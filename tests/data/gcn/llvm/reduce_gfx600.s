// Sums 256 floats in the local data share by halving.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx600"
	.text
	.globl	reduce
	.p2align	8
	.type	reduce,@function
reduce:
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	s_mov_b32 m0, -1
	v_lshlrev_b32_e32 v1, 2, v0
	s_lshl_b32 s3, s2, 10
	s_waitcnt lgkmcnt(0)
	buffer_load_dword v2, v1, s[4:7], s3 offen
	s_movk_i32 s8, 0x80
	s_waitcnt vmcnt(0)
	ds_write_b32 v1, v2
halve:
	s_waitcnt lgkmcnt(0)
	s_barrier
	v_cmp_gt_u32_e32 vcc, s8, v0
	s_and_saveexec_b64 s[10:11], vcc
	s_lshl_b32 s9, s8, 2
	v_add_i32_e32 v3, vcc, s9, v1
	ds_read_b32 v4, v3
	ds_read_b32 v5, v1
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v4, v4, v5
	ds_write_b32 v1, v4
	s_mov_b64 exec, s[10:11]
	s_lshr_b32 s8, s8, 1
	s_cmp_lg_u32 s8, 0
	s_cbranch_scc1 halve
	s_waitcnt lgkmcnt(0)
	v_cmp_eq_u32_e32 vcc, 0, v0
	s_and_b64 exec, exec, vcc
	s_cbranch_execz done
	ds_read_b32 v4, v1
	s_waitcnt lgkmcnt(0)
	buffer_store_dword v4, off, s[4:7], 0
done:
	s_endpgm

	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel reduce
		.amdhsa_group_segment_fixed_size 1024
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 8
		.amdhsa_next_free_sgpr 16
	.end_amdhsa_kernel
