// c = a · b, in double precision, and as a trusted kernel in f32 or, with sums in f32, in bf16.
#include <vector>

#include "../brain-float.hpp"
#include "../tensors.hpp"

template <typename T>
static void multiply(const T *a, const T *b, T *c, int64_t M, int64_t N, int64_t K) {
  for (int64_t i = 0; i < M * N; i++) c[i] = 0;
  for (int64_t i = 0; i < M; i++)
    for (int64_t k = 0; k < K; k++)
      for (int64_t j = 0; j < N; j++) c[i * N + j] += a[i * K + k] * b[k * N + j];
}

template <typename T>
static int multiply(const pawl_call *call) {
  multiply(tensor<const T>(call, 0), tensor<const T>(call, 1), tensor<T>(call, 2), dim(call, 0), dim(call, 1),
           dim(call, 2));
  return 0;
}

static std::vector<float> widened(const pawl_call *call, int index) {
  std::vector<float> values;
  for (int64_t i = 0; i < count_of(call->tensors[index]); i++)
    values.push_back(widen(tensor<uint16_t>(call, index)[i]));
  return values;
}

PAWL_EXPORT int pawl_oracle(const pawl_call *call) { return multiply<double>(call); }

PAWL_EXPORT int pawl_reference(const pawl_call *call) {
  if (call->tensors[0].dtype == PAWL_F32) return multiply<float>(call);
  if (call->tensors[0].dtype != PAWL_BF16) return 1;
  const std::vector<float> a = widened(call, 0), b = widened(call, 1);
  std::vector<float> c(static_cast<size_t>(count_of(call->tensors[2])));
  multiply(a.data(), b.data(), c.data(), dim(call, 0), dim(call, 1), dim(call, 2));
  for (size_t i = 0; i < c.size(); i++) tensor<uint16_t>(call, 2)[i] = narrow(c[i]);
  return 0;
}
