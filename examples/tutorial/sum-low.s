; The same sum with its values in low registers.
sum:
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  v_lshlrev_b32 v0, 2, v0
  s_waitcnt lgkmcnt(0)
  buffer_load_dword v1, v0, s[4:7], 0 offen
  buffer_load_dword v2, v0, s[4:7], 0 offen offset:1024
  buffer_load_dword v3, v0, s[4:7], 0 offen offset:2048
  buffer_load_dword v4, v0, s[4:7], 0 offen offset:3072
  s_waitcnt vmcnt(2)
  v_add_f32 v1, v1, v2
  s_waitcnt vmcnt(1)
  v_add_f32 v1, v1, v3
  s_waitcnt vmcnt(0)
  v_add_f32 v1, v1, v4
  buffer_store_dword v1, v0, s[4:7], 0 offen
  s_endpgm

.amdhsa_kernel sum
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 5
  .amdhsa_next_free_sgpr 8
.end_amdhsa_kernel
