*** SHADER CONFIG ***
SPI_PS_INPUT_ADDR = 0x0002
SPI_PS_INPUT_ENA  = 0x0002
*** SHADER STATS ***
SGPRS: 16
VGPRS: 8
Pixel Shader:
Shader main disassembly:
Shader Disassembly:
main:
BB0_0:
	s_load_dwordx4 s[4:7], s[0:1], 0x0                          ; C00A0100 00000000
	s_load_dwordx2 s[8:9], s[0:1], 0x10                         ; C0060200 00000010
	v_lshlrev_b32_e32 v0, 5, v0                                 ; 24000085
	s_waitcnt lgkmcnt(0)                                        ; BF8C007F
	buffer_load_dwordx4 v[1:4], v0, s[4:7], 0 offen             ; E05C1000 80010100
	buffer_load_dwordx4 v[5:8], v0, s[4:7], 0 offen offset:16   ; E05C1010 80010500
	s_waitcnt vmcnt(0)                                          ; BF8C0F70
	v_alignbit_b32 v9, v5, v5, 6                                ; D1CE0009 021A0B05
	v_alignbit_b32 v10, v5, v5, 11                              ; D1CE000A 022E0B05
	v_xor_b32_e32 v9, v9, v10                                   ; 2A121509
	v_alignbit_b32 v10, v5, v5, 25                              ; D1CE000A 02660B05
	v_xor_b32_e32 v9, v9, v10                                   ; 2A121509
	v_bfi_b32 v10, v5, v6, v7                                   ; D1CA000A 041E0D05
	v_add_u32_e32 v9, vcc, v9, v10                              ; 32121509
	v_add_u32_e32 v9, vcc, v9, v8                               ; 32121109
	v_add_u32_e32 v9, vcc, s8, v9                               ; 32121208
	v_add_u32_e32 v9, vcc, s9, v9                               ; 32121209
	v_alignbit_b32 v10, v1, v1, 2                               ; D1CE000A 020A0301
	v_alignbit_b32 v11, v1, v1, 13                              ; D1CE000B 02360301
	v_xor_b32_e32 v10, v10, v11                                 ; 2A14170A
	v_alignbit_b32 v11, v1, v1, 22                              ; D1CE000B 025A0301
	v_xor_b32_e32 v10, v10, v11                                 ; 2A14170A
	v_xor_b32_e32 v11, v1, v2                                   ; 2A160501
	v_bfi_b32 v11, v11, v3, v2                                  ; D1CA000B 040A070B
	v_add_u32_e32 v10, vcc, v10, v11                            ; 3214170A
	v_add_u32_e32 v8, vcc, v4, v9                               ; 32101304
	v_add_u32_e32 v4, vcc, v9, v10                              ; 32081509
	buffer_store_dword v4, v0, s[4:7], 0 offen                  ; E0701000 80010400
	buffer_store_dword v8, v0, s[4:7], 0 offen offset:16        ; E0701010 80010800
	s_endpgm                                                    ; BF810000
