	.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
	.text
main:
	global_load_dword v0, v[2:3], off offset:4096
	global_load_dword v0, v[2:3], off offset:-4097
	flat_load_dword v1, v[2:3] offset:-1
	ds_read_b32 v4, v0 offset:65536
	s_load_dword s4, s[0:1], 0x200000
	buffer_load_dword v5, off, s[4:7], 0 offset:4096
	s_endpgm
