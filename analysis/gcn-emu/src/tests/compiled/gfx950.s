// LLVM 22.1.8, -O2, of kernels.cl for gfx950.
== saxpy
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	s_load_dword s3, s[0:1], 0x10
	v_lshl_or_b32 v0, s2, 6, v0
	v_mov_b32_e32 v1, 0
	v_lshlrev_b64 v[0:1], 2, v[0:1]
	s_waitcnt lgkmcnt(0)
	v_lshl_add_u64 v[2:3], s[6:7], 0, v[0:1]
	v_lshl_add_u64 v[0:1], s[4:5], 0, v[0:1]
	global_load_dword v2, v[2:3], off
	s_nop 0
	global_load_dword v3, v[0:1], off
	s_waitcnt vmcnt(0)
	v_fmac_f32_e32 v3, s3, v2
	global_store_dword v[0:1], v3, off
	s_endpgm
== reversed
	s_load_dwordx4 s[0:3], s[0:1], 0x0
	v_lshlrev_b32_e32 v0, 2, v0
	v_xor_b32_e32 v1, 0xfc, v0
	s_waitcnt lgkmcnt(0)
	global_load_dword v2, v0, s[2:3]
	s_waitcnt vmcnt(0)
	ds_write_b32 v0, v2
	s_waitcnt lgkmcnt(0)
	ds_read_b32 v1, v1
	s_waitcnt lgkmcnt(0)
	v_lshl_add_u32 v1, v1, 1, v1
	global_store_dword v0, v1, s[0:1]
	s_endpgm
== product
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	s_load_dwordx2 s[2:3], s[0:1], 0x10
	v_and_b32_e32 v1, 15, v0
	v_lshrrev_b32_e32 v6, 2, v0
	v_lshlrev_b32_e32 v2, 5, v1
	v_mov_b32_e32 v3, 0
	v_and_b32_e32 v7, 12, v6
	s_waitcnt lgkmcnt(0)
	v_lshl_add_u64 v[4:5], s[6:7], 0, v[2:3]
	v_lshlrev_b32_e32 v2, 1, v7
	v_lshl_add_u64 v[2:3], v[4:5], 0, v[2:3]
	global_load_dwordx2 v[10:11], v[2:3], off
	v_lshl_or_b32 v1, v7, 4, v1
	v_lshlrev_b32_e32 v3, 4, v6
	v_lshlrev_b32_e32 v2, 1, v1
	v_or3_b32 v0, v3, v0, 48
	v_lshlrev_b32_e32 v3, 1, v0
	global_load_ushort v4, v2, s[2:3]
	global_load_ushort v5, v2, s[2:3] offset:32
	global_load_ushort v6, v2, s[2:3] offset:64
	global_load_ushort v7, v3, s[2:3]
	s_mov_b32 s0, 0x5040100
	v_lshlrev_b32_e32 v8, 2, v1
	v_lshlrev_b32_e32 v9, 2, v0
	s_waitcnt vmcnt(2)
	v_perm_b32 v0, v5, v4, s0
	s_waitcnt vmcnt(0)
	v_perm_b32 v1, v7, v6, s0
	s_nop 1
	v_mfma_f32_16x16x16_f16 v[0:3], v[10:11], v[0:1], 0
	s_nop 7
	global_store_dword v8, v0, s[4:5]
	global_store_dword v8, v1, s[4:5] offset:64
	global_store_dword v8, v2, s[4:5] offset:128
	global_store_dword v9, v3, s[4:5]
	s_endpgm
== squares
	s_load_dword s2, s[0:1], 0x8
	s_waitcnt lgkmcnt(0)
	s_cmp_eq_u32 s2, 0
	s_cbranch_scc1 .LBB6_3
	s_mov_b32 s3, 1
	v_mov_b64_e32 v[2:3], 0
.LBB6_2:
	v_add_u32_e32 v1, s3, v0
	v_cvt_f64_u32_e32 v[4:5], s3
	s_add_i32 s3, s3, 1
	v_cvt_f64_u32_e32 v[6:7], v1
	s_cmp_le_u32 s3, s2
	v_fmac_f64_e32 v[2:3], v[4:5], v[6:7]
	s_cbranch_scc1 .LBB6_2
	s_branch .LBB6_4
.LBB6_3:
	v_mov_b64_e32 v[2:3], 0
.LBB6_4:
	s_load_dwordx2 s[0:1], s[0:1], 0x0
	v_lshlrev_b32_e32 v0, 3, v0
	s_waitcnt lgkmcnt(0)
	global_store_dwordx2 v0, v[2:3], s[0:1]
	s_endpgm
