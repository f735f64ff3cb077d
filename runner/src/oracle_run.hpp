#pragma once

#include <cstddef>
#include <vector>

#include "device.hpp"
#include "oracle.hpp"
#include "problem.hpp"
#include "wide_values.hpp"

namespace pawl {

/** Bytes of tensors on the host, by tensor index; empty where there is none. */
using TensorBytes = std::vector<std::vector<unsigned char>>;

/** What is right, and what a trusted implementation makes of it, by tensor index; empty for inputs. */
struct OracleResults {
  std::vector<WideValues> wanted;
  /** In the tensors' own types; empty where the oracle has no reference or none was asked for. */
  TensorBytes reference;
};

/** Runs the oracle, in host or in device memory as it wants, on inputs that are on the host. */
OracleResults run_oracle(Device &device, const Problem &problem, const Oracle &oracle, const TensorBytes &inputs,
                         bool with_reference);

}  // namespace pawl
