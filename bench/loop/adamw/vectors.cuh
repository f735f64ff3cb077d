// Four numbers per load and store, GROUPS of them in flight per thread, and one division per number: what is the same for
// all of them is divided on the host.
#pragma once

template <int GROUPS>
__global__ void __launch_bounds__(256)
    adamw_vectors(float *__restrict__ params, const float *__restrict__ grads, float *__restrict__ m_memory,
                  float *__restrict__ v_memory, long n, float rate, float beta1, float beta2, float inverse1, float inverse2,
                  float eps, float decay) {
  const long first = ((long)blockIdx.x * GROUPS) * blockDim.x + threadIdx.x;
  auto one = [&](float p, float g, float &m, float &v) {
    m = lerp(g, m, beta1);
    v = lerp(g * g, v, beta2);
    return p - rate * (__fdividef(m * inverse1, __fsqrt_rn(v * inverse2) + eps) + decay * p);
  };
  float4 g[GROUPS], m[GROUPS], v[GROUPS], p[GROUPS];
#pragma unroll
  for (int i = 0; i < GROUPS; i++) {
    const long at = first + (long)i * blockDim.x;
    if (4 * at + 3 >= n) continue;
    g[i] = __ldcs(reinterpret_cast<const float4 *>(grads) + at);
    m[i] = __ldcs(reinterpret_cast<const float4 *>(m_memory) + at);
    v[i] = __ldcs(reinterpret_cast<const float4 *>(v_memory) + at);
    p[i] = __ldcs(reinterpret_cast<const float4 *>(params) + at);
  }
#pragma unroll
  for (int i = 0; i < GROUPS; i++) {
    const long at = first + (long)i * blockDim.x;
    if (4 * at + 3 < n) {
      p[i].x = one(p[i].x, g[i].x, m[i].x, v[i].x);
      p[i].y = one(p[i].y, g[i].y, m[i].y, v[i].y);
      p[i].z = one(p[i].z, g[i].z, m[i].z, v[i].z);
      p[i].w = one(p[i].w, g[i].w, m[i].w, v[i].w);
      __stcs(reinterpret_cast<float4 *>(m_memory) + at, m[i]);
      __stcs(reinterpret_cast<float4 *>(v_memory) + at, v[i]);
      __stcs(reinterpret_cast<float4 *>(params) + at, p[i]);
    } else {
      for (long k = 4 * at; k < n && k < 4 * at + 4; k++) params[k] = one(params[k], grads[k], m_memory[k], v_memory[k]);
    }
  }
}

template <int GROUPS>
void adamw_in_vectors(float *params, const float *grads, float *m, float *v, int t, long n, float rate, float beta1,
                      float beta2, float eps, float decay) {
  const float inverse1 = 1.0f / (1.0f - powf(beta1, t)), inverse2 = 1.0f / (1.0f - powf(beta2, t));
  const long per_block = 4L * 256 * GROUPS;
  adamw_vectors<GROUPS><<<(unsigned)((n + per_block - 1) / per_block), 256>>>(params, grads, m, v, n, rate, beta1, beta2,
                                                                              inverse1, inverse2, eps, decay);
}
