Fragment Shader:
disasm:
BB0:
	s_load_dwordx4 s[4:7], s[0:1], 0x0                           ; c00a0100 00000000
	v_lshlrev_b32_e32 v1, 3, v0                                  ; 24020083
	s_waitcnt lgkmcnt(0)                                         ; bf8cc07f
	global_load_dwordx2 v[2:3], v1, s[4:5]                       ; dc548000 02040001
	s_waitcnt vmcnt(0)                                           ; bf8c0f70
	v_pk_mul_f16 v4, v2, v3 op_sel:[1,1] op_sel_hi:[1,0] neg_lo:[1,0] ; d3905804 28020702
	v_pk_fma_f16 v4, v2, v3, v4 op_sel_hi:[0,1,1]                ; d38e4004 14120702
	v_lshlrev_b32_e32 v1, 2, v0                                  ; 24020082
	global_store_dword v1, v4, s[6:7]                            ; dc708000 00060401
	s_endpgm                                                     ; bf810000

*** SHADER STATS ***
SGPRS: 16
VGPRS: 8
Code Size: 64 bytes
********************
