	.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
	.text
main:
same:
	s_nop 0
same:
	.equiv fixed, 1
	.equiv fixed, 2
	s_endpgm
