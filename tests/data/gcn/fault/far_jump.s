	.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
	.text
main:
	s_branch far
	.fill 40000, 4, 0xbf800000
far:
	s_endpgm
