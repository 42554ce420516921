	.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
	.text
main:
	.include "fault/absent.inc"
	.include "fault/includes.s"
	s_endpgm
