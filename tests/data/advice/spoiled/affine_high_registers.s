  .text
  .amdgcn_target "amdgcn-amd-amdhsa--gfx900"
  .amdhsa_code_object_version 5
  .protected affine
  .globl affine
  .p2align 8
  .type affine,@function
affine:
  v_mov_b32_e32 v25, v0
  s_load_dwordx8 s[8:15], s[4:5], 0x0
  v_lshl_or_b32 v25, s6, 6, v25
  v_mov_b32_e32 v26, 0
  v_lshlrev_b64 v[25:26], 3, v[25:26]
  s_load_dwordx2 s[0:1], s[4:5], 0x20
  s_waitcnt lgkmcnt(0)
  v_mov_b32_e32 v28, s11
  v_add_co_u32_e32 v27, vcc, s10, v25
  v_addc_co_u32_e32 v28, vcc, v28, v26, vcc
  global_load_dwordx2 v[27:28], v[27:28], off
  v_mov_b32_e32 v29, s9
  v_add_co_u32_e32 v25, vcc, s8, v25
  v_addc_co_u32_e32 v26, vcc, v29, v26, vcc
  s_waitcnt vmcnt(0)
  v_mul_f32_e32 v30, s12, v27
  v_mul_f32_e32 v31, s13, v28
  v_mul_f32_e32 v27, s14, v27
  v_mul_f32_e32 v28, s15, v28
  v_add_f32_e32 v30, v30, v31
  v_add_f32_e32 v28, v27, v28
  v_add_f32_e32 v27, s0, v30
  v_add_f32_e32 v28, s1, v28
  global_store_dwordx2 v[25:26], v[27:28], off
  s_endpgm
  .section .rodata,"a",@progbits
  .p2align 6, 0x0
  .amdhsa_kernel affine
  .amdhsa_group_segment_fixed_size 0
  .amdhsa_private_segment_fixed_size 0
  .amdhsa_kernarg_size 40
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
  .amdhsa_next_free_vgpr 32
  .amdhsa_next_free_sgpr 16
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
  .size affine, .Lfunc_end0-affine
  .section .AMDGPU.csdata,"",@progbits
  .hidden __oclc_ABI_version
  .type __oclc_ABI_version,@object
  .section .rodata,"a",@progbits
  .weak __oclc_ABI_version
  .p2align 2, 0x0
__oclc_ABI_version:
  .long 500
  .size __oclc_ABI_version, 4
  .amdgpu_metadata
---
amdhsa.kernels:
  - .args:
      - .actual_access:  write_only
        .address_space:  global
        .is_restrict:    true
        .offset:         0
        .size:           8
        .type_name:      'f2*'
        .value_kind:     global_buffer
      - .actual_access:  read_only
        .address_space:  global
        .is_const:       true
        .is_restrict:    true
        .offset:         8
        .size:           8
        .type_name:      'f2*'
        .value_kind:     global_buffer
      - .offset:         16
        .size:           4
        .type_name:      float
        .value_kind:     by_value
      - .offset:         20
        .size:           4
        .type_name:      float
        .value_kind:     by_value
      - .offset:         24
        .size:           4
        .type_name:      float
        .value_kind:     by_value
      - .offset:         28
        .size:           4
        .type_name:      float
        .value_kind:     by_value
      - .offset:         32
        .size:           4
        .type_name:      float
        .value_kind:     by_value
      - .offset:         36
        .size:           4
        .type_name:      float
        .value_kind:     by_value
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 40
    .language:       OpenCL C
    .language_version:
      - 1
      - 2
    .max_flat_workgroup_size: 64
    .name:           affine
    .private_segment_fixed_size: 0
    .reqd_workgroup_size:
      - 64
      - 1
      - 1
    .sgpr_count:     20
    .sgpr_spill_count: 0
    .symbol:         affine.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     7
    .vgpr_spill_count: 0
    .wavefront_size: 64
amdhsa.target:   amdgcn-amd-amdhsa--gfx900
amdhsa.version:
  - 1
  - 2
...
 .end_amdgpu_metadata
