// Numeric and named labels, before and behind.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx600"
	.text
1:	s_nop 0
	s_cbranch_scc0 1f
	s_branch 1b
1:	s_cbranch_vccz 1b
.Llocal:
	s_cbranch_execz .Llocal
	s_branch far
far:
	s_nop 1
	s_nop 2
	s_endpgm
