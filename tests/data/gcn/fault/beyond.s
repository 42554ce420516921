	.amdgcn_target "amdgcn-amd-amdhsa--gfx803"
	.text
main:
	v_mov_b32_e32 v256, 0
	s_mov_b32 s102, 0
	s_mov_b32 ttmp12, 0
	v_mov_b32_e32 v0, a0
	s_mov_b64 xnack_mask, 0
	s_endpgm
