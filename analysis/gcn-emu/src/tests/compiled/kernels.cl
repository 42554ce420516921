typedef unsigned uint;
typedef float f4 __attribute__((ext_vector_type(4)));
typedef half h4 __attribute__((ext_vector_type(4)));
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define ONE __attribute__((reqd_work_group_size(64, 1, 1)))
ONE kernel void saxpy(global float *y, global const float *x, float a) {
  uint i = __builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x();
  y[i] = a * x[i] + y[i];
}
ONE kernel void reversed(global uint *y, global const uint *x) {
  local uint own[64];
  uint i = __builtin_amdgcn_workitem_id_x();
  own[i] = x[i];
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
  y[i] = own[63 - i] * 3;
}
ONE kernel void product(global float *d, global const half *a, global const half *b) {
  uint lane = __builtin_amdgcn_workitem_id_x();
  uint row = lane & 15, block = lane >> 4;
  h4 own = *(global const h4 *)(a + row * 16 + block * 4);
  h4 other;
  for (int k = 0; k < 4; k++) other[k] = b[(block * 4 + k) * 16 + row];
  f4 sum = {0, 0, 0, 0};
  sum = __builtin_amdgcn_mfma_f32_16x16x16f16(own, other, sum, 0, 0, 0);
  for (int k = 0; k < 4; k++) d[(block * 4 + k) * 16 + row] = sum[k];
}
ONE kernel void squares(global double *y, uint count) {
  uint i = __builtin_amdgcn_workitem_id_x();
  double sum = 0;
  for (uint k = 1; k <= count; k++) sum = __builtin_fma((double)k, (double)(i + k), sum);
  y[i] = sum;
}
