	.amdgcn_target "amdgcn-amd-amdhsa--gfx803"
	.text
main:
	s_mov_b64 s[1:2], 0
	s_load_dwordx4 s[2:5], s[0:1], 0x0
	buffer_load_dword v0, off, s[5:8], 0
	s_endpgm
