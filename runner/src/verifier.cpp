#include "verifier.hpp"

#include <chrono>
#include <limits>

#include "compare.hpp"
#include "error.hpp"

namespace pawl {

Verifier::Verifier(Device &device, const PreparedCase &prepared, const Oracle &oracle, Rules rules)
    : device_(device), prepared_(prepared), oracle_(oracle), rules_(rules) {}

void Verifier::take_inputs(std::size_t set) {
  const std::vector<TensorSpec> &tensors = prepared_.problem().tensors;
  wide_.assign(tensors.size(), {});
  for (std::size_t t = 0; t < tensors.size(); ++t) {
    const TensorSpec &tensor = tensors[t];
    std::vector<unsigned char> bytes(tensor.is_pure_output() ? 0 : tensor.bytes);
    if (!bytes.empty()) device_.copy_to_host(bytes.data(), prepared_.data(set, t), bytes.size());
    if (is_floating(tensor.dtype)) {
      wide_[t].floating.assign(tensor.elements, std::numeric_limits<double>::quiet_NaN());
      for (std::size_t i = 0; !bytes.empty() && i < tensor.elements; ++i)
        wide_[t].floating[i] = load_floating(bytes.data(), tensor.dtype, i);
    } else {
      wide_[t].integers.assign(tensor.elements, 0);
      for (std::size_t i = 0; !bytes.empty() && i < tensor.elements; ++i)
        wide_[t].integers[i] = load_integer(bytes.data(), tensor.dtype, i);
    }
  }
}

Verifier::Outputs Verifier::take_outputs(std::size_t set) const {
  const std::vector<TensorSpec> &tensors = prepared_.problem().tensors;
  Outputs outputs(tensors.size());
  for (std::size_t t = 0; t < tensors.size(); ++t) {
    if (!tensors[t].is_written()) continue;
    outputs[t].resize(tensors[t].bytes);
    device_.copy_to_host(outputs[t].data(), prepared_.data(set, t), outputs[t].size());
  }
  return outputs;
}

Judgement Verifier::judge(const Outputs &outputs) {
  const Problem &problem = prepared_.problem();
  std::vector<pawl_tensor> tensors;
  for (std::size_t t = 0; t < wide_.size(); ++t) {
    const TensorSpec &tensor = problem.tensors[t];
    tensors.push_back({tensor.name.c_str(), wide_[t].data(), tensor.shape.data(),
                       static_cast<std::int32_t>(tensor.shape.size()),
                       is_floating(tensor.dtype) ? PAWL_F64 : PAWL_I64});
  }
  std::vector<pawl_dim> dims;
  for (const Dim &dim : problem.dims) dims.push_back({dim.name.c_str(), dim.value});
  const pawl_call call = {tensors.data(), dims.data(), static_cast<std::int32_t>(tensors.size()),
                          static_cast<std::int32_t>(dims.size()), nullptr, nullptr, 0};
  const auto function = reinterpret_cast<int (*)(const pawl_call *)>(oracle_.library().symbol("pawl_oracle"));
  const auto started = std::chrono::steady_clock::now();
  if (const int status = function(&call); status != 0)
    throw RunnerError("load-failed",
                      "the oracle " + oracle_.library().name() + " returned " + std::to_string(status));
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - started;

  Judgement judgement{true, Json::array(), {}, took.count()};
  const Tolerance tolerance{rules_.atol, rules_.rtol};
  for (std::size_t t = 0; t < wide_.size(); ++t) {
    const TensorSpec &tensor = problem.tensors[t];
    if (!tensor.is_written()) continue;
    TensorComparison comparison =
        is_floating(tensor.dtype) ? compare_floating(tensor, outputs[t].data(), wide_[t].floating, tolerance)
                                  : compare_integers(tensor, outputs[t].data(), wide_[t].integers, tolerance);
    if (comparison.mismatches > 0) {
      judgement.passed = false;
      judgement.tampering.push_back({"wrong-result", tensor.name,
                                     std::to_string(comparison.mismatches) + " of " +
                                         std::to_string(tensor.elements) + " elements of '" + tensor.name +
                                         "' differ from " + oracle_.library().name()});
    }
    judgement.tensors.add(std::move(comparison.json));
  }
  return judgement;
}

}  // namespace pawl
