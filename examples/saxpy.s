// y = a * x + y, a work-item for each element:
// `tungsten run saxpy.s --inputs saxpy.inputs.toml`.
.amdgcn_target "amdgcn-amd-amdhsa--gfx900"

.text
.globl saxpy
.p2align 8
.type saxpy,@function
saxpy:
  s_load_dwordx4 s[4:7], s[0:1], 0x0      // x and y
  s_load_dwordx2 s[8:9], s[0:1], 0x10     // a and the number of elements
  s_lshl_b32 s10, s2, 6                   // 64 work-items a group
  v_add_u32_e32 v0, s10, v0
  s_waitcnt lgkmcnt(0)
  v_cmp_gt_u32_e32 vcc, s9, v0
  s_and_saveexec_b64 s[12:13], vcc        // lanes beyond the end do nothing
  s_cbranch_execz done
  v_lshlrev_b32_e32 v1, 2, v0
  global_load_dword v2, v1, s[4:5]
  global_load_dword v3, v1, s[6:7]
  s_waitcnt vmcnt(0)
  v_mac_f32_e32 v3, s8, v2
  global_store_dword v1, v3, s[6:7]
done:
  s_endpgm
.Lsaxpy_end:
.size saxpy, .Lsaxpy_end-saxpy

.rodata
.p2align 6
.amdhsa_kernel saxpy
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_kernarg_size 24
  .amdhsa_next_free_vgpr 4
  .amdhsa_next_free_sgpr 14
.end_amdhsa_kernel
