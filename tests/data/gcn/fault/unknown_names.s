	.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
	.text
main:
	v_nonsense_b32 v0, v1
	s_branch nowhere
	.nonsense 1
	s_mov_b32 s0, unknown_value
	s_waitcnt foo(0)
	s_endpgm
