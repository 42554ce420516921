; -------- Disassembly --------------------
shader main
  asic(VI)
  type(CS)
  sgpr_count(16)
  vgpr_count(8)
  wave_size(64)
  s_load_dwordx4 s[4:7], s[0:1], 0x0             // 000000000000: C00A0100 00000000
  s_load_dword s8, s[0:1], 0x10                  // 000000000008: C0020200 00000010
  s_lshl_b32 s2, s2, 8                           // 000000000010: 8E028802
  v_add_u32_e32 v0, vcc, s2, v0                  // 000000000014: 32000002
  v_mov_b32_e32 v1, 0                            // 000000000018: 7E020280
  v_lshlrev_b64 v[0:1], 2, v[0:1]                // 00000000001C: D28F0000 00020082
  s_waitcnt lgkmcnt(0)                           // 000000000024: BF8C007F
  v_mov_b32_e32 v3, s5                           // 000000000028: 7E060205
  v_add_u32_e32 v2, vcc, s4, v0                  // 00000000002C: 32040004
  v_addc_u32_e32 v3, vcc, v3, v1, vcc            // 000000000030: 38060303
  v_mov_b32_e32 v5, s7                           // 000000000034: 7E0A0207
  v_add_u32_e32 v4, vcc, s6, v0                  // 000000000038: 32080006
  v_addc_u32_e32 v5, vcc, v5, v1, vcc            // 00000000003C: 380A0305
  flat_load_dword v6, v[2:3]                     // 000000000040: DC500000 06000002
  flat_load_dword v7, v[4:5]                     // 000000000048: DC500000 07000004
  s_waitcnt vmcnt(0) lgkmcnt(0)                  // 000000000050: BF8C0070
  v_mac_f32_e32 v7, s8, v6                       // 000000000054: 2C0E0C08
  flat_store_dword v[4:5], v7                    // 000000000058: DC700000 00000704
  s_endpgm                                       // 000000000060: BF810000
end
