	.amdgcn_target "amdgcn-amd-amdhsa--gfx803"
	.text
main:
	image_load v5, v[0:1], s[8:15] dmask:0x3
	image_load v[5:6], v[0:1], s[8:15] dmask:0x1 tfe lwe d16
	buffer_load_dwordx2 v0, off, s[4:7], 0
	v_add_f64 v[0:1], v2, v[4:5]
	flat_load_dword v0, v1
	s_endpgm
