	.amdgcn_target "amdgcn-amd-amdhsa--gfx803"
	.text
main:
	v_mov_b32_e32 v1, 0
	s_mov_b32 s8, 4
again:
	v_add_f32_e32 v2, v1, v1
	buffer_load_dword v1, v0, s[4:7], 0 offen
	s_sub_u32 s8, s8, 1
	s_cmp_lg_u32 s8, 0
	s_cbranch_scc1 again
	s_waitcnt vmcnt(0)
	buffer_store_dword v2, v0, s[4:7], 0 offen
	s_endpgm
