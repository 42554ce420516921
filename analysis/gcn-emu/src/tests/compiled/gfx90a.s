// LLVM 22.1.8, -O2, of kernels.cl for gfx90a.
== saxpy
	s_load_dwordx4 s[0:3], s[4:5], 0x0
	s_load_dword s7, s[4:5], 0x10
	v_lshl_or_b32 v0, s6, 6, v0
	v_mov_b32_e32 v1, 0
	v_lshlrev_b64 v[0:1], 2, v[0:1]
	s_waitcnt lgkmcnt(0)
	v_mov_b32_e32 v3, s3
	v_add_co_u32_e32 v2, vcc, s2, v0
	v_addc_co_u32_e32 v3, vcc, v3, v1, vcc
	global_load_dword v2, v[2:3], off
	v_mov_b32_e32 v3, s1
	v_add_co_u32_e32 v0, vcc, s0, v0
	v_addc_co_u32_e32 v1, vcc, v3, v1, vcc
	global_load_dword v3, v[0:1], off
	s_waitcnt vmcnt(0)
	v_fmac_f32_e32 v3, s7, v2
	global_store_dword v[0:1], v3, off
	s_endpgm
== reversed
	s_load_dwordx4 s[0:3], s[4:5], 0x0
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
	s_load_dwordx4 s[0:3], s[4:5], 0x0
	s_load_dwordx2 s[6:7], s[4:5], 0x10
	v_and_b32_e32 v1, 15, v0
	v_lshlrev_b32_e32 v2, 5, v1
	v_lshrrev_b32_e32 v4, 2, v0
	s_waitcnt lgkmcnt(0)
	v_mov_b32_e32 v3, s3
	v_add_co_u32_e32 v2, vcc, s2, v2
	v_and_b32_e32 v5, 12, v4
	v_addc_co_u32_e32 v3, vcc, 0, v3, vcc
	v_lshlrev_b32_e32 v6, 1, v5
	v_add_co_u32_e32 v2, vcc, v2, v6
	v_addc_co_u32_e32 v3, vcc, 0, v3, vcc
	global_load_dwordx2 v[8:9], v[2:3], off
	v_lshl_or_b32 v5, v5, 4, v1
	v_lshlrev_b32_e32 v2, 4, v4
	v_lshlrev_b32_e32 v1, 1, v5
	v_or3_b32 v4, v2, v0, 48
	v_lshlrev_b32_e32 v0, 1, v4
	global_load_ushort v2, v1, s[6:7]
	global_load_ushort v3, v1, s[6:7] offset:32
	global_load_ushort v6, v1, s[6:7] offset:64
	global_load_ushort v7, v0, s[6:7]
	s_mov_b32 s2, 0x5040100
	v_lshlrev_b32_e32 v5, 2, v5
	v_lshlrev_b32_e32 v4, 2, v4
	s_waitcnt vmcnt(2)
	v_perm_b32 v0, v3, v2, s2
	s_waitcnt vmcnt(0)
	v_perm_b32 v1, v7, v6, s2
	s_nop 1
	v_mfma_f32_16x16x16f16 v[0:3], v[8:9], v[0:1], 0
	s_nop 10
	global_store_dword v5, v0, s[0:1]
	global_store_dword v5, v1, s[0:1] offset:64
	global_store_dword v5, v2, s[0:1] offset:128
	global_store_dword v4, v3, s[0:1]
	s_endpgm
== squares
	s_load_dword s0, s[4:5], 0x8
	s_waitcnt lgkmcnt(0)
	s_cmp_eq_u32 s0, 0
	s_cbranch_scc1 .LBB6_3
	s_mov_b32 s1, 1
	v_pk_mov_b32 v[2:3], 0, 0
.LBB6_2:
	v_add_u32_e32 v1, s1, v0
	v_cvt_f64_u32_e32 v[4:5], s1
	s_add_i32 s1, s1, 1
	v_cvt_f64_u32_e32 v[6:7], v1
	s_cmp_le_u32 s1, s0
	v_fmac_f64_e32 v[2:3], v[4:5], v[6:7]
	s_cbranch_scc1 .LBB6_2
	s_branch .LBB6_4
.LBB6_3:
	v_pk_mov_b32 v[2:3], 0, 0
.LBB6_4:
	s_load_dwordx2 s[0:1], s[4:5], 0x0
	v_lshlrev_b32_e32 v0, 3, v0
	s_waitcnt lgkmcnt(0)
	global_store_dwordx2 v0, v[2:3], s[0:1]
	s_endpgm
