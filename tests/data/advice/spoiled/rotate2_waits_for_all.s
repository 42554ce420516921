  .text
  .amdgcn_target "amdgcn-amd-amdhsa--gfx900"
  .amdhsa_code_object_version 5
  .protected rotate2
  .globl rotate2
  .p2align 8
  .type rotate2,@function
rotate2:
  s_load_dwordx4 s[0:3], s[4:5], 0x0
  s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
  s_load_dwordx2 s[8:9], s[4:5], 0x10
  s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
  v_lshl_or_b32 v0, s6, 6, v0
  s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
  v_mov_b32_e32 v1, 0
  s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
  v_lshlrev_b64 v[0:1], 3, v[0:1]
  s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
  v_mov_b32_e32 v3, s3
  s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
  v_add_co_u32_e32 v2, vcc, s2, v0
  s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
  v_addc_co_u32_e32 v3, vcc, v3, v1, vcc
  s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
  v_mov_b32_e32 v5, s9
  s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
  v_add_co_u32_e32 v4, vcc, s8, v0
  s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
  v_addc_co_u32_e32 v5, vcc, v5, v1, vcc
  s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
  global_load_dwordx2 v[2:3], v[2:3], off
  s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
  v_mov_b32_e32 v6, s1
  s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
  global_load_dwordx2 v[4:5], v[4:5], off
  s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
  v_add_co_u32_e32 v0, vcc, s0, v0
  s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
  v_addc_co_u32_e32 v1, vcc, v6, v1, vcc
  s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
  v_mul_f32_e32 v7, v2, v4
  s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
  v_mul_f32_e32 v8, v3, v5
  s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
  v_mul_f32_e32 v5, v2, v5
  s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
  v_mul_f32_e32 v3, v3, v4
  s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
  v_sub_f32_e32 v2, v7, v8
  s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
  v_add_f32_e32 v3, v5, v3
  s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
  global_store_dwordx2 v[0:1], v[2:3], off
  s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
  s_endpgm
  .section .rodata,"a",@progbits
  .p2align 6, 0x0
  .amdhsa_kernel rotate2
  .amdhsa_group_segment_fixed_size 0
  .amdhsa_private_segment_fixed_size 0
  .amdhsa_kernarg_size 24
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
  .amdhsa_next_free_vgpr 9
  .amdhsa_next_free_sgpr 10
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
  .size rotate2, .Lfunc_end0-rotate2
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
      - .actual_access:  read_only
        .address_space:  global
        .is_const:       true
        .is_restrict:    true
        .offset:         16
        .size:           8
        .type_name:      'f2*'
        .value_kind:     global_buffer
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 24
    .language:       OpenCL C
    .language_version:
      - 1
      - 2
    .max_flat_workgroup_size: 64
    .name:           rotate2
    .private_segment_fixed_size: 0
    .reqd_workgroup_size:
      - 64
      - 1
      - 1
    .sgpr_count:     14
    .sgpr_spill_count: 0
    .symbol:         rotate2.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     9
    .vgpr_spill_count: 0
    .wavefront_size: 64
amdhsa.target:   amdgcn-amd-amdhsa--gfx900
amdhsa.version:
  - 1
  - 2
...
 .end_amdgpu_metadata
