#include "check.hpp"

#include <cstring>
#include <limits>

#include "audit.hpp"
#include "error.hpp"

namespace pawl {
namespace {

using Bytes = std::vector<unsigned char>;

/** Checks use set 0; the other sets only rotate in cold mode. */
constexpr std::size_t SET = 0;
/** Poison of integer outputs in the second run: what holds 0xFF first and this then was never written. */
constexpr unsigned char SECOND_PATTERN = 0x55;

/** A tensor of the oracle: f64 for floating point, i64 for integers. */
struct WideTensor {
  std::vector<double> floating;
  std::vector<std::int64_t> integers;

  void *data() { return floating.empty() ? static_cast<void *>(integers.data()) : floating.data(); }
};

Bytes copy_tensor(Device &device, const PreparedCase &prepared, std::size_t tensor) {
  Bytes bytes(prepared.problem().tensors[tensor].bytes);
  device.copy_to_host(bytes.data(), prepared.data(SET, tensor), bytes.size());
  return bytes;
}

/** Inputs as the kernel will see them; pure outputs as NaN or 0, for the oracle to write. */
std::vector<WideTensor> oracle_tensors(Device &device, const PreparedCase &prepared) {
  std::vector<WideTensor> wide(prepared.problem().tensors.size());
  for (std::size_t t = 0; t < wide.size(); ++t) {
    const TensorSpec &tensor = prepared.problem().tensors[t];
    const Bytes bytes = tensor.is_pure_output() ? Bytes() : copy_tensor(device, prepared, t);
    if (is_floating(tensor.dtype)) {
      wide[t].floating.assign(tensor.elements, std::numeric_limits<double>::quiet_NaN());
      for (std::size_t i = 0; !bytes.empty() && i < tensor.elements; ++i)
        wide[t].floating[i] = load_floating(bytes.data(), tensor.dtype, i);
    } else {
      wide[t].integers.assign(tensor.elements, 0);
      for (std::size_t i = 0; !bytes.empty() && i < tensor.elements; ++i)
        wide[t].integers[i] = load_integer(bytes.data(), tensor.dtype, i);
    }
  }
  return wide;
}

void run_oracle(const Library &oracle, const Problem &problem, std::vector<WideTensor> &wide) {
  std::vector<pawl_tensor> tensors;
  for (std::size_t t = 0; t < wide.size(); ++t) {
    const TensorSpec &tensor = problem.tensors[t];
    tensors.push_back({tensor.name.c_str(), wide[t].data(), tensor.shape.data(),
                       static_cast<std::int32_t>(tensor.shape.size()),
                       is_floating(tensor.dtype) ? PAWL_F64 : PAWL_I64});
  }
  std::vector<pawl_dim> dims;
  for (const Dim &dim : problem.dims) dims.push_back({dim.name.c_str(), dim.value});
  const pawl_call call = {tensors.data(), dims.data(), static_cast<std::int32_t>(tensors.size()),
                          static_cast<std::int32_t>(dims.size()), nullptr, nullptr, 0};
  const auto function = reinterpret_cast<int (*)(const pawl_call *)>(oracle.symbol("pawl_oracle"));
  const int status = function(&call);
  if (status != 0)
    throw RunnerError("load-failed", "the oracle " + oracle.name() + " returned " + std::to_string(status));
}

/** Elements that held the poison after both runs, so nobody wrote them. */
std::size_t count_unwritten(const TensorSpec &tensor, const Bytes &first, const Bytes &second) {
  const std::size_t size = dtype_bytes(tensor.dtype);
  Bytes second_poison(size, is_floating(tensor.dtype) ? 0xFF : SECOND_PATTERN);
  std::size_t unwritten = 0;
  for (std::size_t i = 0; i < tensor.elements; ++i)
    if (holds_poison(first.data(), size, i) && std::memcmp(second.data() + i * size, second_poison.data(), size) == 0)
      ++unwritten;
  return unwritten;
}

std::size_t count_differing(const TensorSpec &tensor, const Bytes &first, const Bytes &second) {
  const std::size_t size = dtype_bytes(tensor.dtype);
  std::size_t differing = 0;
  for (std::size_t at = 0; at < first.size(); at += size)
    if (std::memcmp(first.data() + at, second.data() + at, size) != 0) ++differing;
  return differing;
}

}  // namespace

Json check(Device &device, PreparedCase &prepared, const Library &oracle, Tolerance tolerance, std::uint64_t seed,
           bool audited) {
  const Problem &problem = prepared.problem();
  prepared.arm();
  prepared.fill_set(SET, seed);
  // Before the kernel runs: whatever it does to its inputs, the oracle has its own.
  std::vector<WideTensor> wide = oracle_tensors(device, prepared);

  device.run_once(prepared, SET);
  std::vector<Bytes> first(problem.tensors.size());
  for (std::size_t t = 0; t < first.size(); ++t)
    if (problem.tensors[t].is_written()) first[t] = copy_tensor(device, prepared, t);
  std::vector<Tamper> tampering = prepared.inspect(false);
  const bool clean = tampering.empty();

  // A kernel that spoiled its inputs is judged on good ones again.
  prepared.fill_set(SET, seed);
  prepared.poison_outputs(SET, SECOND_PATTERN);
  device.run_once(prepared, SET);
  if (clean) tampering = prepared.inspect(false);

  run_oracle(oracle, problem, wide);

  bool passed = true;
  Json tensors = Json::array();
  for (std::size_t t = 0; t < first.size(); ++t) {
    const TensorSpec &tensor = problem.tensors[t];
    if (!tensor.is_written()) continue;
    const Bytes second = copy_tensor(device, prepared, t);
    const std::size_t unwritten = tensor.is_pure_output() ? count_unwritten(tensor, first[t], second) : 0;
    const std::size_t differing = count_differing(tensor, first[t], second);
    const std::string of = " of " + std::to_string(tensor.elements) + " elements of '" + tensor.name + "' ";
    if (unwritten > 0)
      tampering.push_back({"unwritten-output", tensor.name, std::to_string(unwritten) + of + "were not written"});
    else if (differing > 0)
      tampering.push_back({"nondeterministic", tensor.name,
                           std::to_string(differing) + of + "differed between two runs on the same inputs"});
    TensorComparison comparison = is_floating(tensor.dtype)
                                      ? compare_floating(tensor, first[t].data(), wide[t].floating, tolerance)
                                      : compare_integers(tensor, first[t].data(), wide[t].integers, tolerance);
    passed = passed && comparison.mismatches == 0;
    tensors.add(std::move(comparison.json));
  }
  Json extra = Json::object();
  if (audited)
    for (Tamper &tamper : audit(device, prepared, extra)) tampering.push_back(std::move(tamper));
  // Samples are taken on the inputs of `prepare`, whatever checks came between.
  prepared.fill_set(SET, prepared.seed());
  return extra.set("passed", passed && tampering.empty())
      .set("oracle", oracle.name())
      .set("tensors", std::move(tensors))
      .set("tampering", tampering_json(tampering));
}

}  // namespace pawl
