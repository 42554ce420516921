  .text
  .amdgcn_target "amdgcn-amd-amdhsa--gfx900"
  .amdhsa_code_object_version 5
  .protected  stencil
  .globl  stencil
  .p2align  8
  .type  stencil,@function
stencil:
  v_mov_b32_e32 v14, v0
  s_load_dwordx4 s[0:3], s[4:5], 0x0
  v_lshl_or_b32 v14, s6, 6, v14
  v_mov_b32_e32 v15, 0
  v_lshlrev_b64 v[16:17], 2, v[14:15]
  v_add_u32_e32 v20, 1, v14
  v_mov_b32_e32 v21, v15
  s_waitcnt lgkmcnt(0)
  v_mov_b32_e32 v26, s3
  v_add_co_u32_e32 v18, vcc, s2, v16
  v_lshlrev_b64 v[20:21], 2, v[20:21]
  v_addc_co_u32_e32 v19, vcc, v26, v17, vcc
  v_add_u32_e32 v22, 2, v14
  v_mov_b32_e32 v23, v15
  v_add_co_u32_e32 v20, vcc, s2, v20
  v_lshlrev_b64 v[22:23], 2, v[22:23]
  v_addc_co_u32_e32 v21, vcc, v26, v21, vcc
  v_add_u32_e32 v24, 3, v14
  v_mov_b32_e32 v25, v15
  v_add_co_u32_e32 v22, vcc, s2, v22
  v_lshlrev_b64 v[24:25], 2, v[24:25]
  v_addc_co_u32_e32 v23, vcc, v26, v23, vcc
  v_add_u32_e32 v14, 4, v14
  v_add_co_u32_e32 v24, vcc, s2, v24
  v_lshlrev_b64 v[14:15], 2, v[14:15]
  v_addc_co_u32_e32 v25, vcc, v26, v25, vcc
  v_add_co_u32_e32 v14, vcc, s2, v14
  v_addc_co_u32_e32 v15, vcc, v26, v15, vcc
  global_load_dword v26, v[24:25], off
  global_load_dword v27, v[14:15], off
  global_load_dword v28, v[18:19], off
  global_load_dword v29, v[20:21], off
  global_load_dword v30, v[22:23], off
  v_mov_b32_e32 v15, s1
  s_waitcnt vmcnt(2)
  v_add_f32_e32 v14, v28, v27
  s_waitcnt vmcnt(1)
  v_add_f32_e32 v18, v29, v26
  v_mul_f32_e32 v14, 0x3d800000, v14
  v_mul_f32_e32 v18, 0x3e800000, v18
  s_waitcnt vmcnt(0)
  v_mul_f32_e32 v19, 0x3ec00000, v30
  v_add_f32_e32 v14, v18, v14
  v_add_f32_e32 v18, v19, v14
  v_add_co_u32_e32 v14, vcc, s0, v16
  v_addc_co_u32_e32 v15, vcc, v15, v17, vcc
  global_store_dword v[14:15], v18, off
  s_endpgm
  .section  .rodata,"a",@progbits
  .p2align  6, 0x0
  .amdhsa_kernel stencil
    .amdhsa_group_segment_fixed_size 0
    .amdhsa_private_segment_fixed_size 0
    .amdhsa_kernarg_size 16
    .amdhsa_user_sgpr_count 6
    .amdhsa_user_sgpr_private_segment_buffer 1
    .amdhsa_user_sgpr_dispatch_ptr 0
    .amdhsa_user_sgpr_queue_ptr 0
    .amdhsa_user_sgpr_kernarg_segment_ptr 1
    .amdhsa_user_sgpr_dispatch_id 0
    .amdhsa_user_sgpr_flat_scratch_init 0
    .amdhsa_user_sgpr_private_segment_size 0
    .amdhsa_uses_dynamic_stack 0
    .amdhsa_system_sgpr_private_segment_wavefront_offset 0
    .amdhsa_system_sgpr_workgroup_id_x 1
    .amdhsa_system_sgpr_workgroup_id_y 0
    .amdhsa_system_sgpr_workgroup_id_z 0
    .amdhsa_system_sgpr_workgroup_info 0
    .amdhsa_system_vgpr_workitem_id 0
    .amdhsa_next_free_vgpr 31
    .amdhsa_next_free_sgpr 7
    .amdhsa_reserve_vcc 1
    .amdhsa_reserve_flat_scratch 0
    .amdhsa_reserve_xnack_mask 1
    .amdhsa_float_round_mode_32 0
    .amdhsa_float_round_mode_16_64 0
    .amdhsa_float_denorm_mode_32 3
    .amdhsa_float_denorm_mode_16_64 3
    .amdhsa_dx10_clamp 1
    .amdhsa_ieee_mode 1
    .amdhsa_fp16_overflow 0
    .amdhsa_exception_fp_ieee_invalid_op 0
    .amdhsa_exception_fp_denorm_src 0
    .amdhsa_exception_fp_ieee_div_zero 0
    .amdhsa_exception_fp_ieee_overflow 0
    .amdhsa_exception_fp_ieee_underflow 0
    .amdhsa_exception_fp_ieee_inexact 0
    .amdhsa_exception_int_div_zero 0
  .end_amdhsa_kernel
  .text
.Lfunc_end0:
  .size  stencil, .Lfunc_end0-stencil
  .section  .AMDGPU.csdata,"",@progbits
  .hidden  __oclc_ABI_version
  .type  __oclc_ABI_version,@object
  .section  .rodata,"a",@progbits
  .weak  __oclc_ABI_version
  .p2align  2, 0x0
__oclc_ABI_version:
  .long  500
  .size  __oclc_ABI_version, 4
  .amdgpu_metadata
---
amdhsa.kernels:
  - .args:
      - .actual_access:  write_only
        .address_space:  global
        .is_restrict:    true
        .offset:         0
        .size:           8
        .type_name:      'float*'
        .value_kind:     global_buffer
      - .actual_access:  read_only
        .address_space:  global
        .is_const:       true
        .is_restrict:    true
        .offset:         8
        .size:           8
        .type_name:      'float*'
        .value_kind:     global_buffer
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 16
    .language:       OpenCL C
    .language_version:
      - 1
      - 2
    .max_flat_workgroup_size: 64
    .name:           stencil
    .private_segment_fixed_size: 0
    .reqd_workgroup_size:
      - 64
      - 1
      - 1
    .sgpr_count:     11
    .sgpr_spill_count: 0
    .symbol:         stencil.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     17
    .vgpr_spill_count: 0
    .wavefront_size: 64
amdhsa.target:   amdgcn-amd-amdhsa--gfx900
amdhsa.version:
  - 1
  - 2
...
  .end_amdgpu_metadata
