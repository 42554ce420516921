// An image of half the size, a work-item for each of its texels:
// `tungsten run halve.s --inputs halve.inputs.toml`.
.amdgcn_target "amdgcn-amd-amdhsa--gfx900"

.text
.globl halve
.p2align 8
.type halve,@function
halve:
  s_load_dwordx8 s[4:11], s[0:1], 0x0     // the image's descriptor
  s_load_dwordx4 s[12:15], s[0:1], 0x20   // the sampler's
  s_load_dwordx2 s[16:17], s[0:1], 0x30   // where the result goes
  v_cvt_f32_u32_e32 v2, v0
  v_cvt_f32_u32_e32 v3, v1
  v_add_f32_e32 v2, 0.5, v2               // the middle of four texels: both sides
  v_add_f32_e32 v3, 0.5, v3               // are 0 to 1, and the result has two texels
  v_mul_f32_e32 v2, 0.5, v2               // along each
  v_mul_f32_e32 v3, 0.5, v3
  s_waitcnt lgkmcnt(0)
  image_sample_lz v2, v[2:3], s[4:11], s[12:15] dmask:0x1
  v_lshl_add_u32 v0, v1, 1, v0
  v_lshlrev_b32_e32 v0, 2, v0
  s_waitcnt vmcnt(0)
  global_store_dword v0, v2, s[16:17]
  s_endpgm
.Lhalve_end:
.size halve, .Lhalve_end-halve

.rodata
.p2align 6
.amdhsa_kernel halve
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_kernarg_size 56
  .amdhsa_system_vgpr_workitem_id 1
  .amdhsa_next_free_vgpr 4
  .amdhsa_next_free_sgpr 18
.end_amdhsa_kernel
