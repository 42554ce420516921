	.amdgcn_target "amdgcn-amd-amdhsa--gfx600"
	.text
main:
	s_load_dwordx2 vcc, s[0:1], 0x0
	s_waitcnt lgkmcnt(0)
	s_cbranch_vccz over
	s_nop 0
over:
	s_endpgm
