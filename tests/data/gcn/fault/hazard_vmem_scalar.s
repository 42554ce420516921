	.amdgcn_target "amdgcn-amd-amdhsa--gfx803"
	.text
main:
	v_readfirstlane_b32 s4, v0
	buffer_load_dword v1, v0, s[4:7], 0 offen
	s_waitcnt vmcnt(0)
	s_endpgm
