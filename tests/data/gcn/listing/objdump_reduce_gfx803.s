
reduce_gfx803.o:	file format elf64-amdgpu

Disassembly of section .text:

0000000000000000 <reduce_dpp>:
	s_load_dwordx4 s[4:7], s[0:1], 0x0                         // 000000000000: C00A0100 00000000
	v_lshlrev_b32_e32 v1, 2, v0                                // 000000000008: 24020082
	s_waitcnt lgkmcnt(0)                                       // 00000000000C: BF8C007F
	buffer_load_dword v2, v1, s[4:7], 0 offen                  // 000000000010: E0501000 80010201
	s_waitcnt vmcnt(0)                                         // 000000000018: BF8C0F70
	s_nop 1                                                    // 00000000001C: BF800001
	v_add_f32_dpp v2, v2, v2 row_shr:1 row_mask:0xf bank_mask:0xf// 000000000020: 020404FA FF011102
	s_nop 1                                                    // 000000000028: BF800001
	v_add_f32_dpp v2, v2, v2 row_shr:2 row_mask:0xf bank_mask:0xf// 00000000002C: 020404FA FF011202
	s_nop 1                                                    // 000000000034: BF800001
	v_add_f32_dpp v2, v2, v2 row_shr:4 row_mask:0xf bank_mask:0xe// 000000000038: 020404FA FE011402
	s_nop 1                                                    // 000000000040: BF800001
	v_add_f32_dpp v2, v2, v2 row_shr:8 row_mask:0xf bank_mask:0xc// 000000000044: 020404FA FC011802
	s_nop 1                                                    // 00000000004C: BF800001
	v_add_f32_dpp v2, v2, v2 row_bcast:15 row_mask:0xa bank_mask:0xf// 000000000050: 020404FA AF014202
	s_nop 1                                                    // 000000000058: BF800001
	v_add_f32_dpp v2, v2, v2 row_bcast:31 row_mask:0xc bank_mask:0xf// 00000000005C: 020404FA CF014302
	v_readlane_b32 s8, v2, 63                                  // 000000000064: D2890008 00017F02
	v_mov_b32_e32 v3, s8                                       // 00000000006C: 7E060208
	v_cmp_eq_u32_e32 vcc, 0, v0                                // 000000000070: 7D940080
	s_and_b64 exec, exec, vcc                                  // 000000000074: 86FE6A7E
	buffer_store_dword v3, off, s[4:7], 0 offset:256           // 000000000078: E0700100 80010300
	s_endpgm                                                   // 000000000080: BF810000
