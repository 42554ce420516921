	.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
	.text
main:
	.macro pair first:req, second
	s_nop \first
	.endm
	pair
	pair 1, 2, 3
	pair third=1
	.macro pair
	.endm
	s_endpgm
