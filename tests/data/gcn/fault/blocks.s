	.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
	.text
main:
	.endm
	.endif
	.endr
	.macro open
	s_nop 0
