typedef unsigned uint;
typedef float f4 __attribute__((ext_vector_type(4)));
#define ONE __attribute__((reqd_work_group_size(64, 1, 1)))
#define ID (__builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x())
ONE kernel void axpby(global float *restrict out, global const float *restrict x, global const float *restrict y, float a, float b) {
  uint i = ID; out[i] = a * x[i] + b * y[i];
}
ONE kernel void stencil(global float *restrict out, global const float *restrict in) {
  uint i = ID; float l = in[i], m = in[i + 1], r = in[i + 2], s = in[i + 3], t = in[i + 4];
  out[i] = (l + t) * 0.0625f + (m + s) * 0.25f + r * 0.375f;
}
ONE kernel void mix_hash(global uint *restrict out, global const uint *restrict a, global const uint *restrict b) {
  uint i = ID; uint x = a[i], y = b[i];
  x ^= x >> 16; x *= 0x7feb352du; x ^= x >> 15; x *= 0x846ca68bu; x ^= x >> 16;
  y = (y << 13) | (y >> 19); y = y * 5 + 0xe6546b64u;
  out[i] = x ^ y; out[i + 256] = x + y;
}
ONE kernel void dot4(global float *restrict out, global const f4 *restrict a, global const f4 *restrict b) {
  uint i = ID; f4 x = a[i], y = b[i];
  out[i] = x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w;
}
ONE kernel void clampscale(global float *restrict out, global const float *restrict in, float low, float high) {
  uint i = ID; float v = in[i];
  if (v < low) v = low * 2.0f; else if (v > high) v = high * 0.5f;
  out[i] = v * v + 1.0f;
}
ONE kernel void reverse_share(global uint *restrict out, global const uint *restrict in) {
  local uint own[64];
  uint i = __builtin_amdgcn_workitem_id_x();
  own[i] = in[ID] * 3;
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
  out[ID] = own[63 - i] + own[i ^ 1];
}
ONE kernel void horner(global float *restrict out, global const float *restrict in, global const float *restrict c) {
  uint i = ID; float x = in[i], r = c[0];
  r = r * x + c[1]; r = r * x + c[2]; r = r * x + c[3]; r = r * x + c[4]; r = r * x + c[5]; r = r * x + c[6];
  out[i] = r;
}
ONE kernel void rows(global float *restrict out, global const float *restrict m, global const float *restrict v) {
  uint i = ID; float s = 0;
  for (uint k = 0; k < 8; k++) s += m[i * 8 + k] * v[k];
  out[i] = s;
}
ONE kernel void planes(global uint *restrict out, global const uint *restrict in) {
  uint i = ID; uint a = in[i], b = in[i + 64], c = in[i + 128], d = in[i + 192];
  uint s = a ^ b, t = (a & b) | (c & (a ^ b));
  out[i] = s ^ c ^ d; out[i + 64] = t ^ d; out[i + 128] = (s & t) + c; out[i + 192] = s + t + d;
}
ONE kernel void weigh(global float *restrict out, global const float *restrict x, global const float *restrict w, uint n) {
  uint i = ID; float sum = 0, total = 0;
  n &= 7;
  for (uint k = 0; k < n; k++) { float f = w[k]; sum += f * x[i + k]; total += f; }
  out[i] = sum; out[i + 256] = total;
}
ONE kernel void gather4(global uint *restrict out, global const uint *restrict where, global const uint *restrict table) {
  uint i = ID; uint a = where[i] & 255;
  uint p = table[a], q = table[(a + 37) & 255], r = table[(a * 5) & 255], s = table[a ^ 85];
  out[i] = p * 3 + q * 5 + r * 7 + s * 11;
}
ONE kernel void butterfly(global float *restrict out, global const float *restrict in) {
  uint i = ID; float a = in[i * 4], b = in[i * 4 + 1], c = in[i * 4 + 2], d = in[i * 4 + 3];
  float e = a + c, f = a - c, g = b + d, h = b - d;
  out[i * 4] = e + g; out[i * 4 + 1] = f + h; out[i * 4 + 2] = e - g; out[i * 4 + 3] = f - h;
}
ONE kernel void luma(global float *restrict out, global const uint *restrict in) {
  uint i = ID; uint p = in[i];
  float r = (float)(p & 255), g = (float)((p >> 8) & 255), b = (float)((p >> 16) & 255);
  out[i] = r * 0.2126f + g * 0.7152f + b * 0.0722f;
}
ONE kernel void select3(global uint *restrict out, global const uint *restrict a, global const uint *restrict b, global const uint *restrict c, uint which) {
  uint i = ID; uint x = a[i], y = b[i], z = c[i];
  uint r = x; if (which & 1) r = y * x; if (which & 2) r += z; 
  out[i] = r;
}
