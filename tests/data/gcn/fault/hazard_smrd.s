	.amdgcn_target "amdgcn-amd-amdhsa--gfx600"
	.text
main:
	v_readfirstlane_b32 s4, v0
	v_readfirstlane_b32 s5, v1
	s_load_dword s6, s[4:5], 0x0
	s_endpgm
