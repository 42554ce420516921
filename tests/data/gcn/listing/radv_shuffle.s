Fragment Shader:
disasm:
BB0:
	s_load_dwordx4 s[4:7], s[0:1], 0x0                           ; c00a0100 00000000
	v_lshlrev_b32_e32 v1, 2, v0                                  ; 24020082
	s_waitcnt lgkmcnt(0)                                         ; bf8cc07f
	global_load_dword v2, v1, s[4:5]                             ; dc508000 02040001
	s_waitcnt vmcnt(0)                                           ; bf8c0f70
	ds_swizzle_b32 v3, v2 offset:swizzle(SWAP,16)                ; d87a401f 03000002
	ds_swizzle_b32 v4, v2 offset:swizzle(QUAD_PERM,3,2,1,0)      ; d87a801b 04000002
	v_xor_b32_e32 v5, 0xfc, v1                                   ; 2a0a02ff 000000fc
	ds_bpermute_b32 v6, v5, v2                                   ; d87e0000 06000205
	v_mov_b32_dpp v7, v2 row_half_mirror row_mask:0xf bank_mask:0xf ; 7e0e02fa ff014102
	s_waitcnt lgkmcnt(0)                                         ; bf8cc07f
	v_add3_u32 v3, v3, v4, v6                                    ; d1ff0003 041a0903
	v_add_u32_e32 v3, v3, v7                                     ; 68060f03
	global_store_dword v1, v3, s[6:7]                            ; dc708000 00060301
	s_endpgm                                                     ; bf810000

*** SHADER STATS ***
SGPRS: 16
VGPRS: 8
Code Size: 64 bytes
********************
