
mfma_f16_gfx908.o:	file format elf64-amdgpu

Disassembly of section .text:

0000000000000000 <mfma_f16>:
	s_load_dwordx4 s[4:7], s[0:1], 0x0                         // 000000000000: C00A0100 00000000
	v_lshlrev_b32_e32 v1, 3, v0                                // 000000000008: 24020083
	v_accvgpr_write_b32 a0, 1.0                                // 00000000000C: D3D94000 180000F2
	v_accvgpr_write_b32 a1, 0                                  // 000000000014: D3D94001 18000080
	v_accvgpr_write_b32 a2, -4                                 // 00000000001C: D3D94002 180000C4
	v_accvgpr_write_b32 a3, v0                                 // 000000000024: D3D94003 18000100
	s_waitcnt lgkmcnt(0)                                       // 00000000002C: BF8CC07F
	global_load_dwordx2 v[2:3], v1, s[4:5]                     // 000000000030: DC548000 02040001
	global_load_dwordx2 v[4:5], v1, s[4:5] offset:512          // 000000000038: DC548200 04040001
	s_waitcnt vmcnt(0)                                         // 000000000040: BF8C0F70
	s_nop 1                                                    // 000000000044: BF800001
	v_mfma_f32_16x16x16f16 a[0:3], v[2:3], v[4:5], a[0:3]      // 000000000048: D3CD0000 04020902
	s_nop 15                                                   // 000000000050: BF80000F
	v_accvgpr_read_b32 v6, a0                                  // 000000000054: D3D84006 18000100
	v_accvgpr_read_b32 v7, a1                                  // 00000000005C: D3D84007 18000101
	v_accvgpr_read_b32 v8, a2                                  // 000000000064: D3D84008 18000102
	v_accvgpr_read_b32 v9, a3                                  // 00000000006C: D3D84009 18000103
	v_lshlrev_b32_e32 v1, 4, v0                                // 000000000074: 24020084
	s_nop 0                                                    // 000000000078: BF800000
	global_store_dwordx4 v1, v[6:9], s[6:7]                    // 00000000007C: DC7C8000 00060601
	s_endpgm                                                   // 000000000084: BF810000
