// Code and data in sections, with labels across.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
	.text
start:
	s_getpc_b64 s[0:1]
	s_branch finish
	.section .rodata.table,"a"
table:
	.long 1, 2, 3
	.quad finish-start
	.text
middle:
	s_nop 0
	.pushsection .data
	.byte 1
	.popsection
finish:
	s_cbranch_scc1 middle
	s_endpgm
	.long 0xbf800000
	.fill 2, 4, 0xbf810000
	.size start, .-start
