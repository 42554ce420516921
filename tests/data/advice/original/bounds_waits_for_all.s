  .text
  .amdgcn_target "amdgcn-amd-amdhsa--gfx900"
  .amdhsa_code_object_version 5
  .protected bounds
  .globl bounds
  .p2align 8
  .type bounds,@function
bounds:
  s_load_dwordx2 s[0:1], s[4:5], 0x10
  v_lshl_or_b32 v0, s6, 6, v0
  v_mov_b32_e32 v1, 0
  v_lshlrev_b64 v[2:3], 2, v[0:1]
  v_add_u32_e32 v6, 32, v0
  v_mov_b32_e32 v7, v1
  s_waitcnt lgkmcnt(0)
  v_mov_b32_e32 v14, s1
  v_add_co_u32_e32 v4, vcc, s0, v2
  v_lshlrev_b64 v[6:7], 2, v[6:7]
  v_addc_co_u32_e32 v5, vcc, v14, v3, vcc
  v_add_u32_e32 v8, 64, v0
  v_mov_b32_e32 v9, v1
  v_add_co_u32_e32 v6, vcc, s0, v6
  v_lshlrev_b64 v[8:9], 2, v[8:9]
  v_addc_co_u32_e32 v7, vcc, v14, v7, vcc
  v_add_u32_e32 v10, 0x60, v0
  v_mov_b32_e32 v11, v1
  v_add_co_u32_e32 v8, vcc, s0, v8
  v_lshlrev_b64 v[10:11], 2, v[10:11]
  v_addc_co_u32_e32 v9, vcc, v14, v9, vcc
  v_add_u32_e32 v12, 0x80, v0
  v_mov_b32_e32 v13, v1
  v_add_co_u32_e32 v10, vcc, s0, v10
  v_lshlrev_b64 v[12:13], 2, v[12:13]
  v_addc_co_u32_e32 v11, vcc, v14, v11, vcc
  v_add_u32_e32 v0, 0xa0, v0
  v_add_co_u32_e32 v12, vcc, s0, v12
  v_lshlrev_b64 v[0:1], 2, v[0:1]
  v_addc_co_u32_e32 v13, vcc, v14, v13, vcc
  v_add_co_u32_e32 v0, vcc, s0, v0
  v_addc_co_u32_e32 v1, vcc, v14, v1, vcc
  global_load_dword v14, v[4:5], off
  global_load_dword v15, v[6:7], off
  global_load_dword v16, v[8:9], off
  global_load_dword v17, v[10:11], off
  global_load_dword v18, v[12:13], off
  global_load_dword v19, v[0:1], off
  s_load_dwordx4 s[0:3], s[4:5], 0x0
  s_waitcnt lgkmcnt(0)
  v_mov_b32_e32 v1, s1
  v_add_co_u32_e32 v0, vcc, s0, v2
  v_addc_co_u32_e32 v1, vcc, v1, v3, vcc
  v_mov_b32_e32 v4, s3
  v_add_co_u32_e32 v2, vcc, s2, v2
  v_addc_co_u32_e32 v3, vcc, v4, v3, vcc
  s_waitcnt vmcnt(4)
  v_min_u32_e32 v4, v15, v14
  v_max_u32_e32 v5, v15, v14
  s_waitcnt vmcnt(2)
  v_min3_u32 v4, v17, v16, v4
  v_max3_u32 v5, v17, v16, v5
  s_waitcnt vmcnt(0)
  v_min3_u32 v4, v19, v18, v4
  v_max3_u32 v5, v19, v18, v5
  global_store_dword v[0:1], v4, off
  global_store_dword v[2:3], v5, off
  s_endpgm
  .section .rodata,"a",@progbits
  .p2align 6, 0x0
  .amdhsa_kernel bounds
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
  .amdhsa_next_free_vgpr 20
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
  .size bounds, .Lfunc_end0-bounds
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
        .type_name:      'uint*'
        .value_kind:     global_buffer
      - .actual_access:  write_only
        .address_space:  global
        .is_restrict:    true
        .offset:         8
        .size:           8
        .type_name:      'uint*'
        .value_kind:     global_buffer
      - .actual_access:  read_only
        .address_space:  global
        .is_const:       true
        .is_restrict:    true
        .offset:         16
        .size:           8
        .type_name:      'uint*'
        .value_kind:     global_buffer
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 24
    .language:       OpenCL C
    .language_version:
      - 1
      - 2
    .max_flat_workgroup_size: 64
    .name:           bounds
    .private_segment_fixed_size: 0
    .reqd_workgroup_size:
      - 64
      - 1
      - 1
    .sgpr_count:     11
    .sgpr_spill_count: 0
    .symbol:         bounds.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     20
    .vgpr_spill_count: 0
    .wavefront_size: 64
amdhsa.target:   amdgcn-amd-amdhsa--gfx900
amdhsa.version:
  - 1
  - 2
...
 .end_amdgpu_metadata
