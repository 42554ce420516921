
scan_gfx900.o:	file format elf64-amdgpu

Disassembly of section .text:

0000000000000000 <scan>:
	s_load_dwordx4 s[4:7], s[0:1], 0x0                         // 000000000000: C00A0100 00000000
	v_lshlrev_b32_e32 v1, 2, v0                                // 000000000008: 24020082
	v_mov_b32_e32 v3, 0                                        // 00000000000C: 7E060280
	s_waitcnt lgkmcnt(0)                                       // 000000000010: BF8CC07F
	global_load_dword v2, v1, s[4:5]                           // 000000000014: DC508000 02040001
	s_waitcnt vmcnt(0)                                         // 00000000001C: BF8C0F70
	s_nop 1                                                    // 000000000020: BF800001
	v_add_u32_dpp v2, v2, v2 row_shr:1 row_mask:0xf bank_mask:0xf bound_ctrl:1// 000000000024: 680404FA FF091102
	s_nop 1                                                    // 00000000002C: BF800001
	v_add_u32_dpp v2, v2, v2 row_shr:2 row_mask:0xf bank_mask:0xf bound_ctrl:1// 000000000030: 680404FA FF091202
	s_nop 1                                                    // 000000000038: BF800001
	v_add_u32_dpp v2, v2, v2 row_shr:4 row_mask:0xf bank_mask:0xf bound_ctrl:1// 00000000003C: 680404FA FF091402
	s_nop 1                                                    // 000000000044: BF800001
	v_add_u32_dpp v2, v2, v2 row_shr:8 row_mask:0xf bank_mask:0xf bound_ctrl:1// 000000000048: 680404FA FF091802
	s_nop 1                                                    // 000000000050: BF800001
	v_add_u32_dpp v2, v2, v2 row_bcast:15 row_mask:0xa bank_mask:0xf// 000000000054: 680404FA AF014202
	s_nop 1                                                    // 00000000005C: BF800001
	v_add_u32_dpp v2, v2, v2 row_bcast:31 row_mask:0xc bank_mask:0xf// 000000000060: 680404FA CF014302
	s_nop 1                                                    // 000000000068: BF800001
	v_mov_b32_dpp v3, v2 wave_shr:1 row_mask:0xf bank_mask:0xf // 00000000006C: 7E0602FA FF013802
	global_store_dword v1, v3, s[6:7]                          // 000000000074: DC708000 00060301
	s_endpgm                                                   // 00000000007C: BF810000
