#include "cuda_settings.hpp"

namespace pawl {
namespace {

/** Settings that this device does not have are left out. */
template <typename Value, typename Read>
void note(Facts &facts, const char *name, Value value, Read read) {
  if (read(&value) == cudaSuccess)
    facts[name] = std::to_string(static_cast<long long>(value));
  else
    cudaGetLastError();
}

}  // namespace

void list_cuda_settings(Facts &facts) {
  note(facts, "the current CUDA device", 0, [](int *value) { return cudaGetDevice(value); });
  note(facts, "the flags of the CUDA device", 0u, [](unsigned *value) {
    const cudaError_t error = cudaGetDeviceFlags(value);
    // The runtime sets this one by itself when it loads a module (seen on an H200, driver 580).
    *value &= ~static_cast<unsigned>(cudaDeviceLmemResizeToMax);
    return error;
  });
  note(facts, "the cache configuration of the CUDA device", cudaFuncCachePreferNone,
       [](cudaFuncCache *value) { return cudaDeviceGetCacheConfig(value); });
  // Sizes of the stack, the heap and the print buffer are left out: the driver grows the first by itself, and the
  // others are a kernel's own affair.
  note(facts, "the L2 memory set aside for persisting lines", std::size_t(0),
       [](std::size_t *value) { return cudaDeviceGetLimit(value, cudaLimitPersistingL2CacheSize); });
  note(facts, "the granularity of L2 fetches", std::size_t(0),
       [](std::size_t *value) { return cudaDeviceGetLimit(value, cudaLimitMaxL2FetchGranularity); });
  note(facts, "the persisting window of the default stream", std::size_t(0), [](std::size_t *value) {
    cudaStreamAttrValue attribute{};
    const cudaError_t error = cudaStreamGetAttribute(nullptr, cudaStreamAttributeAccessPolicyWindow, &attribute);
    *value = attribute.accessPolicyWindow.num_bytes;
    return error;
  });
}

}  // namespace pawl
