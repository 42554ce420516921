; -------- Disassembly --------------------
shader main
  asic(GFX9)
  type(CS)
  sgpr_count(16)
  vgpr_count(8)
  wave_size(64)
  s_load_dwordx4 s[4:7], s[0:1], 0x0             // 000000000000: C00A0100 00000000
  v_lshlrev_b32_e32 v1, 3, v0                    // 000000000008: 24020083
  v_mov_b32_e32 v2, 1                            // 00000000000C: 7E040281
  v_mov_b32_e32 v3, 0                            // 000000000010: 7E060280
  s_waitcnt lgkmcnt(0)                           // 000000000014: BF8CC07F
  global_atomic_add v1, v2, s[4:5]               // 000000000018: DD088000 00040201
  global_atomic_umax v4, v1, v2, s[4:5] glc      // 000000000020: DD1D8000 04040201
  global_atomic_cmpswap v5, v1, v[2:3], s[4:5] offset:4 glc // 000000000028: DD058004 05040201
  global_atomic_add_x2 v1, v[2:3], s[4:5] offset:-8 slc // 000000000030: DD8A9FF8 00040201
  s_waitcnt vmcnt(0)                             // 000000000038: BF8C0F70
  v_add_u32_e32 v4, v4, v5                       // 00000000003C: 68080B04
  global_store_dword v1, v4, s[6:7]              // 000000000040: DC708000 00060401
  s_endpgm                                       // 000000000048: BF810000
end
