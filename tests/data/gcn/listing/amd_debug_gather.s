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
	s_load_dwordx8 s[4:11], s[0:1], 0x0                         ; C00E0100 00000000
	s_load_dwordx4 s[12:15], s[0:1], 0x20                       ; C00A0300 00000020
	s_load_dwordx2 s[16:17], s[0:1], 0x30                       ; C0060400 00000030
	v_cvt_f32_u32_e32 v2, v0                                    ; 7E040D00
	v_cvt_f32_u32_e32 v3, v1                                    ; 7E060D01
	s_waitcnt lgkmcnt(0)                                        ; BF8CC07F
	image_gather4_lz v[4:7], v2, s[4:11], s[12:15] dmask:0x2    ; F11C0200 00610402
	image_sample v8, v2, s[4:11], s[12:15] dmask:0x3 d16        ; F0800300 80610802
	s_waitcnt vmcnt(1)                                          ; BF8C0F71
	v_add_f32_e32 v4, v4, v5                                    ; 02080B04
	v_add_f32_e32 v6, v6, v7                                    ; 020C0F06
	v_add_f32_e32 v4, v4, v6                                    ; 02080D04
	s_waitcnt vmcnt(0)                                          ; BF8C0F70
	v_cvt_f32_f16_e32 v8, v8                                    ; 7E101708
	v_fma_f32 v4, v4, 0.5, v8                                   ; D1CB0004 0421E104
	v_lshlrev_b32_e32 v0, 2, v0                                 ; 24000082
	global_store_dword v0, v4, s[16:17]                         ; DC708000 00100400
	s_endpgm                                                    ; BF810000
