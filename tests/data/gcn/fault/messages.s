	.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
	.text
main:
	.warning "careful"
	.error "stop"
	.err
	s_endpgm
