	.amdgcn_target "amdgcn-amd-amdhsa--gfx803"
	.text
main:
	v_mov_b32_e32 v1, 0
	v_add_f32_dpp v2, v1, v1 row_shr:1 row_mask:0xf bank_mask:0xf
	s_endpgm
