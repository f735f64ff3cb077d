// AdamW in double precision.
#include "pawl_kernel.h"

#include <cuda_runtime.h>

struct Numbers {
  double rate, beta1, beta2, eps, decay, correction1, correction2;
};

static __global__ void update(double *params, const double *grads, double *m, double *v, int64_t n, Numbers with) {
  const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  m[i] = with.beta1 * m[i] + (1 - with.beta1) * grads[i];
  v[i] = with.beta2 * v[i] + (1 - with.beta2) * grads[i] * grads[i];
  const double step = m[i] / with.correction1 / (sqrt(v[i] / with.correction2) + with.eps);
  params[i] -= with.rate * (step + with.decay * params[i]);
}

PAWL_EXPORT int pawl_oracle(const pawl_call *call) {
  double *at[4];
  for (int i = 0; i < 4; i++) at[i] = (double *)call->tensors[i].data;
  // learning_rate, beta1, beta2, eps and weight_decay are float in the kernel.
  double given[5];
  for (int i = 0; i < 5; i++) given[i] = (double)(float)call->scalars[i].value;
  const double t = (double)call->dims[0].value;
  const int64_t n = call->dims[1].value;
  const Numbers with = {given[0], given[1], given[2], given[3], given[4], 1 - pow(given[1], t), 1 - pow(given[2], t)};
  update<<<(unsigned)((n + 255) / 256), 256, 0, (cudaStream_t)call->stream>>>(at[0], at[1], at[2], at[3], n, with);
  return (int)cudaGetLastError();
}
