#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fields.hpp"
#include "fill.hpp"
#include "scalar.hpp"
#include "view.hpp"

namespace pawl {

enum class Role { input, output, inout };

/** What says whether an output is right. */
enum class Judged { by_value, by_checker, by_distribution };

/** Of an output whose elements are draws: the oracle states probabilities in its place. */
struct Distribution {
  /** Draws are 0 to one less. */
  std::int64_t outcomes;
  /** How much probability may lie elsewhere than stated. */
  double slack;
  /** The input that every draw takes new values of; empty: the kernel draws by itself. */
  std::string seed;
};

/** Contents of a tensor that lie in a file. */
struct RecordedFile {
  std::string path;
  std::size_t offset;
  std::string sha256; /* of the tensor's bytes */
};

/** Contents of a tensor that lie in files, of which one is used at a time. */
struct Recorded {
  pawl_dtype dtype; /* in the files */
  std::vector<RecordedFile> files;
  bool vary;        /* a few elements take the values of others from call to call */
};

struct TensorSpec {
  std::string name;
  Role role;
  pawl_dtype dtype;
  std::vector<std::int64_t> shape;
  Fill fill;
  /** Where the fill says so. */
  std::optional<Recorded> recorded;
  std::size_t elements;
  std::size_t bytes;
  Judged judged = Judged::by_value;
  std::optional<Distribution> distribution = std::nullopt;
  /** The output that says how many rows, along the first axis, count; empty: all. The rest is ignored. */
  std::string counted_by = {};
  /** Whether the kernel makes something of it beforehand, outside of timed intervals. */
  bool prepared_from = false;
  /** Where its elements lie in a storage of their own; absent: one after the other. */
  std::optional<View> view = std::nullopt;

  /** The numbers that elements consist of. */
  std::size_t numbers() const { return elements * part_count(dtype); }
  /** Of the memory that the tensor lies in. `bytes` is what its elements have. */
  std::size_t stored_bytes() const { return view ? view->stored * dtype_bytes(dtype) : bytes; }
  View view_of_numbers() const { return is_complex(dtype) ? view->of_parts() : *view; }
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

/** Of tensors of this size together, a device may not hold all the copies that a check likes to have. */
constexpr std::size_t LARGE_BYTES = std::size_t(2) << 30;

/** One case of a kernel with everything known: what `prepare` asks for. */
struct Problem {
  std::vector<Dim> dims;
  std::vector<Scalar> scalars;
  std::vector<TensorSpec> tensors;
  /** Of the memory that all of them lie in. */
  std::size_t bytes = 0;
  /** Whether random numbers of frameworks start alike in every call. */
  bool seeded = false;

  bool is_prepared() const {
    for (const TensorSpec &tensor : tensors)
      if (tensor.prepared_from) return true;
    return false;
  }
};

/** The problem with all elements one after the other: what oracles, checkers and generators work on. */
Problem without_views(Problem problem);

/** The tensor as far as it counts: its first rows. */
TensorSpec first_rows(TensorSpec tensor, std::int64_t rows);
/** Where the output lies that counts the rows of another. */
std::size_t index_of(const Problem &problem, const std::string &tensor);

/** What an oracle is asked: probabilities in the place of draws. */
Problem asking_for_probabilities(Problem problem);

Problem read_problem(const Fields &request);

}  // namespace pawl
