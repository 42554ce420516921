typedef unsigned uint;
typedef float f2 __attribute__((ext_vector_type(2)));
typedef float f4 __attribute__((ext_vector_type(4)));
#define ONE __attribute__((reqd_work_group_size(64, 1, 1)))
#define ID (__builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x())
ONE kernel void rotate2(global f2 *restrict out, global const f2 *restrict a, global const f2 *restrict b) {
  uint i = ID; f2 x = a[i], y = b[i];
  f2 r; r.x = x.x * y.x - x.y * y.y; r.y = x.x * y.y + x.y * y.x; out[i] = r;
}
ONE kernel void running4(global f4 *restrict out, global const f4 *restrict in, global const float *restrict start) {
  uint i = ID; f4 v = in[i]; float s = start[i & 63];
  f4 r; r.x = s + v.x; r.y = r.x + v.y; r.z = r.y + v.z; r.w = r.z + v.w; out[i] = r;
}
ONE kernel void spread(global uint *restrict out, global const uint *restrict in) {
  uint i = ID; uint x = in[i] & 0xffff, y = in[i + 128] & 0xffff;
  x = (x | (x << 8)) & 0x00ff00ff; x = (x | (x << 4)) & 0x0f0f0f0f; x = (x | (x << 2)) & 0x33333333; x = (x | (x << 1)) & 0x55555555;
  y = (y | (y << 8)) & 0x00ff00ff; y = (y | (y << 4)) & 0x0f0f0f0f; y = (y | (y << 2)) & 0x33333333; y = (y | (y << 1)) & 0x55555555;
  out[i] = x | (y << 1);
}
ONE kernel void two_chains(global float *restrict out, global const float *restrict in, global const float *restrict c) {
  uint i = ID; float x = in[i], y = in[i + 64], r = c[0], q = c[4];
  r = r * x + c[1]; r = r * x + c[2]; r = r * x + c[3];
  q = q * y + c[5]; q = q * y + c[6]; q = q * y + c[7];
  out[i] = r - q;
}
ONE kernel void bounds(global uint *restrict low, global uint *restrict high, global const uint *restrict in) {
  uint i = ID; uint l = in[i], h = l;
  for (uint k = 1; k < 6; k++) { uint v = in[i + k * 32]; l = v < l ? v : l; h = v > h ? v : h; }
  low[i] = l; high[i] = h;
}
ONE kernel void column(global float *restrict out, global const float *restrict m, global const float *restrict v, uint n) {
  uint i = ID; float s = 0; n = 1 + (n & 3);
  for (uint k = 0; k < n; k++) s += m[k * 64 + (i & 63)] * v[k + (i >> 6)];
  out[i] = s;
}
ONE kernel void shifted_share(global uint *restrict out, global const uint *restrict in) {
  local uint own[128];
  uint i = __builtin_amdgcn_workitem_id_x();
  own[i] = in[ID]; own[i + 64] = in[ID + 64] + 7;
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
  out[ID] = own[i + 1] * 3 + own[i + 17] + own[(i + 33) & 127] * 5;
}
ONE kernel void threshold(global float *restrict out, global const float *restrict in, global const float *restrict with, float edge) {
  uint i = ID; float v = in[i], w = with[i];
  out[i] = v < edge ? w * 0.25f + v : (v - edge) * w;
}
ONE kernel void twice(global uint *restrict out, global const uint *restrict first, global const uint *restrict table) {
  uint i = ID; uint a = table[first[i] & 255], b = table[first[i + 64] & 255];
  out[i] = table[a & 255] + table[b & 255] * 9;
}
ONE kernel void affine(global f2 *restrict out, global const f2 *restrict in, float a, float b, float c, float d, float e, float f) {
  uint i = ID; f2 p = in[i]; f2 r; r.x = a * p.x + b * p.y + e; r.y = c * p.x + d * p.y + f; out[i] = r;
}
ONE kernel void luma4(global uint *restrict out, global const uint *restrict in) {
  uint i = ID; uint p = in[i];
  uint r = p & 255, g = (p >> 8) & 255, b = (p >> 16) & 255;
  uint y = (r * 77 + g * 150 + b * 29) >> 8; out[i] = (p & 0xff000000u) | y * 0x010101u;
}
ONE kernel void smooth5(global float *restrict out, global const float *restrict in, global const float *restrict w) {
  uint i = ID; float s = 0, t = 0;
  for (uint k = 0; k < 5; k++) { float v = in[i + k]; s += v * w[k]; t += v * v; }
  out[i] = s; out[i + 128] = t;
}
