	.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
	.text
main:
	global_load_dword v1, v[2:3], off
	v_add_f32_e32 v1, v1, v1
	s_endpgm
