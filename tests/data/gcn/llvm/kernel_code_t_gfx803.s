// A kernel of code object version 2, described by a block of fields.
	.hsa_code_object_version 2,1
	.hsa_code_object_isa 8,0,3,"AMD","AMDGPU"
	.hsatext
	.amdgpu_hsa_kernel scale
	.globl	scale
	.p2align	8
scale:
	.amd_kernel_code_t
		enable_sgpr_kernarg_segment_ptr = 1
		is_ptr64 = 1
		compute_pgm_rsrc1_vgprs = 1
		compute_pgm_rsrc1_sgprs = 1
		compute_pgm_rsrc2_user_sgpr = 2
		compute_pgm_rsrc2_tgid_x_en = 1
		kernarg_segment_byte_size = 16
		wavefront_sgpr_count = 16
		workitem_vgpr_count = 4
	.end_amd_kernel_code_t
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	v_lshlrev_b32_e32 v1, 2, v0
	s_waitcnt lgkmcnt(0)
	buffer_load_dword v2, v1, s[4:7], 0 offen
	s_waitcnt vmcnt(0)
	v_mul_f32_e32 v2, 2.0, v2
	buffer_store_dword v2, v1, s[4:7], 0 offen
	s_endpgm
	.amd_amdgpu_hsa_metadata
---
Version:         [ 1, 0 ]
Kernels:
  - Name:            scale
    SymbolName:      'scale@kd'
    Args:
      - Name:            buffer
        Size:            16
        Align:           16
        ValueKind:       ByValue
        ValueType:       U32
...
	.end_amd_amdgpu_hsa_metadata
