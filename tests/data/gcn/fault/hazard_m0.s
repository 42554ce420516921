	.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
	.text
main:
	s_mov_b32 m0, s2
	s_sendmsg sendmsg(MSG_GS, GS_OP_EMIT, 0)
	s_endpgm
