  .text
  .amdgcn_target "amdgcn-amd-amdhsa--gfx900"
  .amdhsa_code_object_version 5
  .protected luma4
  .globl luma4
  .p2align 8
  .type luma4,@function
luma4:
  s_load_dwordx4 s[0:3], s[4:5], 0x0
  v_lshl_or_b32 v0, s6, 6, v0
  v_mov_b32_e32 v1, 0
  v_lshlrev_b64 v[0:1], 2, v[0:1]
  s_mov_b32 s4, 0xff000000
  s_waitcnt lgkmcnt(0)
  v_mov_b32_e32 v3, s3
  v_add_co_u32_e32 v2, vcc, s2, v0
  v_addc_co_u32_e32 v3, vcc, v3, v1, vcc
  global_load_dword v2, v[2:3], off
  s_movk_i32 s2, 0x4d
  s_movk_i32 s3, 0x96
  v_mov_b32_e32 v3, 29
  v_mov_b32_e32 v4, s1
  v_add_co_u32_e32 v0, vcc, s0, v0
  v_addc_co_u32_e32 v1, vcc, v4, v1, vcc
  s_waitcnt vmcnt(0)
  v_mul_u32_u24_sdwa v5, v2, s2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_0 src1_sel:DWORD
  v_mul_u32_u24_sdwa v6, v2, s3 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_1 src1_sel:DWORD
  v_mul_u32_u24_sdwa v3, v2, v3 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_2 src1_sel:DWORD
  v_add3_u32 v3, v6, v5, v3
  v_lshrrev_b32_e32 v3, 8, v3
  v_mul_u32_u24_e32 v3, 0x10101, v3
  v_and_or_b32 v2, v2, s4, v3
  global_store_dword v[0:1], v2, off
  s_endpgm
  .section .rodata,"a",@progbits
  .p2align 6, 0x0
  .amdhsa_kernel luma4
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
  .amdhsa_next_free_vgpr 7
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
  .size luma4, .Lfunc_end0-luma4
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
      - .actual_access:  read_only
        .address_space:  global
        .is_const:       true
        .is_restrict:    true
        .offset:         8
        .size:           8
        .type_name:      'uint*'
        .value_kind:     global_buffer
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 16
    .language:       OpenCL C
    .language_version:
      - 1
      - 2
    .max_flat_workgroup_size: 64
    .name:           luma4
    .private_segment_fixed_size: 0
    .reqd_workgroup_size:
      - 64
      - 1
      - 1
    .sgpr_count:     11
    .sgpr_spill_count: 0
    .symbol:         luma4.kd
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
