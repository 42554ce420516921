
transpose_gfx900.o:	file format elf64-amdgpu

Disassembly of section .text:

0000000000000000 <transpose>:
	s_load_dwordx4 s[4:7], s[0:1], 0x0                         // 000000000000: C00A0100 00000000
	v_and_b32_e32 v1, 31, v0                                   // 000000000008: 2602009F
	v_lshrrev_b32_e32 v2, 5, v0                                // 00000000000C: 20040085
	v_lshlrev_b32_e32 v3, 2, v0                                // 000000000010: 24060082
	s_movk_i32 s8, 0x84                                        // 000000000014: B0080084
	v_mul_u32_u24_e32 v4, s8, v2                               // 000000000018: 10080408
	v_lshl_add_u32 v4, v1, 2, v4                               // 00000000001C: D1FD0004 04110501
	v_mul_u32_u24_e32 v5, s8, v1                               // 000000000024: 100A0208
	v_lshl_add_u32 v5, v2, 2, v5                               // 000000000028: D1FD0005 04150502
	s_waitcnt lgkmcnt(0)                                       // 000000000030: BF8CC07F
	global_load_dword v6, v3, s[4:5]                           // 000000000034: DC508000 06040003
	s_waitcnt vmcnt(0)                                         // 00000000003C: BF8C0F70
	ds_write_b32 v4, v6                                        // 000000000040: D81A0000 00000604
	s_waitcnt lgkmcnt(0)                                       // 000000000048: BF8CC07F
	s_barrier                                                  // 00000000004C: BF8A0000
	ds_read_b32 v7, v5                                         // 000000000050: D86C0000 07000005
	s_waitcnt lgkmcnt(0)                                       // 000000000058: BF8CC07F
	global_store_dword v3, v7, s[6:7]                          // 00000000005C: DC708000 00060703
	s_endpgm                                                   // 000000000064: BF810000
