// Registers by expression, symbols and repeated blocks.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx803"
	.text
	base = 4
	.set count, 3
	.rept count
	v_mov_b32_e32 v[base], v[base+1]
	base = base + 2
	.endr
	.irp reg, v1, v2
	v_not_b32_e32 \reg, \reg
	.endr
	.irpc digit, 0123
	s_movk_i32 s\digit, 0x1\digit
	.endr
	s_mov_b64 s[base:base+1], 0
	s_endpgm
