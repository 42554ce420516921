/* Disassembling 'saxpy_gfx803.bin' */
.rawcode
.gpu Fiji
.text
/*c00a0100 00000000*/ s_load_dwordx4 s[4:7], s[0:1], 0x0
/*c0020200 00000010*/ s_load_dword s8, s[0:1], 0x10
/*8e028802         */ s_lshl_b32 s2, s2, 8
/*32000002         */ v_add_u32 v0, vcc, s2, v0
/*7e020280         */ v_mov_b32 v1, 0
/*d28f0000 00020082*/ v_lshlrev_b64 v[0:1], 2, v[0:1]
/*bf8c007f         */ s_waitcnt lgkmcnt(0)
/*7e060205         */ v_mov_b32 v3, s5
/*32040004         */ v_add_u32 v2, vcc, s4, v0
/*38060303         */ v_addc_u32 v3, vcc, v3, v1, vcc
/*7e0a0207         */ v_mov_b32 v5, s7
/*32080006         */ v_add_u32 v4, vcc, s6, v0
/*380a0305         */ v_addc_u32 v5, vcc, v5, v1, vcc
/*dc500000 06000002*/ flat_load_dword v6, v[2:3]
/*dc500000 07000004*/ flat_load_dword v7, v[4:5]
/*bf8c0070         */ s_waitcnt vmcnt(0) & lgkmcnt(0)
/*2c0e0c08         */ v_mac_f32 v7, s8, v6
/*dc700000 00000704*/ flat_store_dword v[4:5], v7
/*bf810000         */ s_endpgm
