"""Honest: CUDA by load_inline, launched without naming a stream, as nearly all published examples are."""

from torch.utils.cpp_extension import load_inline

_CUDA = """
__global__ void add_scaled(const float *x, float *y, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) y[i] += 3 * x[i];
}

void axpy(torch::Tensor x, torch::Tensor y) {
  const int64_t N = x.numel();
  add_scaled<<<(N + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), N);
}
"""

_MODULE = load_inline(
    name="pawl_honest_axpy",
    cpp_sources="void axpy(torch::Tensor x, torch::Tensor y);",
    cuda_sources=_CUDA,
    functions=["axpy"],
)


def axpy(x, y):
    _MODULE.axpy(x, y)
