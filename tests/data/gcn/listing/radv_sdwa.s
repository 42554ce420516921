Fragment Shader:
disasm:
BB0:
	s_load_dwordx4 s[4:7], s[0:1], 0x0                           ; c00a0100 00000000
	v_lshlrev_b32_e32 v1, 2, v0                                  ; 24020082
	s_waitcnt lgkmcnt(0)                                         ; bf8c007f
	buffer_load_dword v2, v1, s[4:7], 0 offen                    ; e0501000 80010201
	s_waitcnt vmcnt(0)                                           ; bf8c0f70
	v_add_u16_sdwa v3, v2, v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_0 src1_sel:BYTE_1 ; 4c0604f9 01000602
	v_add_u16_sdwa v4, v2, v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_2 src1_sel:BYTE_3 ; 4c0804f9 03020602
	v_add_u16_e32 v3, v3, v4                                     ; 4c060903
	v_lshrrev_b16_e32 v3, 2, v3                                  ; 56060682
	v_cmp_lt_u16 vcc, v2, v3 src0_sel:BYTE_0 src1_sel:WORD_0     ; 7d5206f9 04000002
	v_cndmask_b32_e32 v3, v3, v2, vcc                            ; 00060503
	buffer_store_dword v3, v1, s[4:7], 0 offen                   ; e0701000 80010301
	s_endpgm                                                     ; bf810000

*** SHADER STATS ***
SGPRS: 16
VGPRS: 8
Code Size: 64 bytes
********************
