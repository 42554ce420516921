// Macros with defaults, required and remaining arguments.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
	.text
	.macro zero first:req, count=1
	.rept \count
	v_mov_b32_e32 v\first, 0
	.endr
	.endm
	.macro each op, regs:vararg
	.irp reg, \regs
	\op \reg, v0
	.endr
	.endm
	.macro unique
place_\@:
	s_branch place_\@
	.endm
	zero 1
	zero 2, 2
	zero count=2, first=3
	each v_mov_b32, v4, v5, v6
	unique
	unique
	s_endpgm
