// Honest: writes a line to std::cout in every call, numbers and braces in it.
#include <iostream>

#include "../tensors.hpp"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  static int calls = 0;
  std::cout << "{ \"call\": " << ++calls << ", \"elements\": " << dim(call, 0) << " }" << std::endl;
  float sum = 0;
  for (int64_t i = 0; i < dim(call, 0); i++) sum += tensor<float>(call, 0)[i];
  *tensor<float>(call, 1) = sum;
  return 0;
}
