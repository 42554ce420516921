// A file that another one includes.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx803"
	.include "macro/common.inc"
	.text
	v_mul_u32_u24_e32 v0, element, v0
	finish
