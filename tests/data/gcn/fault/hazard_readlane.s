	.amdgcn_target "amdgcn-amd-amdhsa--gfx803"
	.text
main:
	v_readfirstlane_b32 s4, v0
	v_readlane_b32 s5, v1, s4
	s_endpgm
