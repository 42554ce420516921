// Conditions on symbols, texts and the chip.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
	.text
	.macro load dst, off, kind
	.ifc \kind,wide
	global_load_dwordx2 \dst, v0, s[0:1] offset:\off
	.else
	.ifb \kind
	global_load_dword \dst, v0, s[0:1] offset:\off
	.endif
	.endif
	.endm
	.if .amdgcn.gfx_generation_number == 9
	load v1, 4
	.else
	.error "another generation"
	.endif
	.ifndef missing
	load v[2:3], 8, wide
	.endif
	.ifeq 1-1
	s_waitcnt vmcnt(0)
	.endif
	.iflt 2
	s_nop 1
	.elseif 1
	s_nop 2
	.endif
	s_endpgm
