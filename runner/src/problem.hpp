#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "fields.hpp"
#include "fill.hpp"
#include "scalar.hpp"

namespace pawl {

enum class Role { input, output, inout };

/** What says whether an output is right. */
enum class Judged { by_value, by_checker };

struct TensorSpec {
  std::string name;
  Role role;
  pawl_dtype dtype;
  std::vector<std::int64_t> shape;
  Fill fill;
  std::size_t elements;
  std::size_t bytes;
  Judged judged = Judged::by_value;

  bool is_read_only() const { return role == Role::input; }
  bool is_written() const { return role != Role::input; }
  /** With what the oracle says. */
  bool is_compared() const { return is_written() && judged == Judged::by_value; }
  /** Poisoned before a run; an inout keeps its input values instead. */
  bool is_pure_output() const { return role == Role::output; }
};

struct Dim {
  std::string name;
  std::int64_t value;
};

/** One case of a kernel with everything known: what `prepare` asks for. */
struct Problem {
  std::vector<Dim> dims;
  std::vector<Scalar> scalars;
  std::vector<TensorSpec> tensors;
  std::size_t bytes = 0;
};

Problem read_problem(const Fields &request);

}  // namespace pawl
