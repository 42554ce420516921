; Adds four vectors: each lane loads four elements, one after the other.
sum:
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  v_lshlrev_b32 v0, 2, v0
  s_waitcnt lgkmcnt(0)
  buffer_load_dword v24, v0, s[4:7], 0 offen
  s_waitcnt vmcnt(0)
  v_mov_b32 v1, v24
  buffer_load_dword v25, v0, s[4:7], 0 offen offset:1024
  s_waitcnt vmcnt(0)
  v_add_f32 v1, v1, v25
  buffer_load_dword v26, v0, s[4:7], 0 offen offset:2048
  s_waitcnt vmcnt(0)
  v_add_f32 v1, v1, v26
  buffer_load_dword v27, v0, s[4:7], 0 offen offset:3072
  s_waitcnt vmcnt(0)
  v_add_f32 v1, v1, v27
  buffer_store_dword v1, v0, s[4:7], 0 offen
  s_endpgm

.amdhsa_kernel sum
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 28
  .amdhsa_next_free_sgpr 8
.end_amdhsa_kernel
