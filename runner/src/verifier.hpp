#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "device.hpp"
#include "json.hpp"
#include "kernel_library.hpp"
#include "prepared_case.hpp"

namespace pawl {

/** A library that says what is right. */
class Oracle {
 public:
  explicit Oracle(const std::string &path) : library_(path) {}
  const Library &library() const { return library_; }

 private:
  Library library_;
};

struct Rules {
  double atol, rtol;
  std::optional<double> factor;
};

struct Judgement {
  bool passed;
  Json tensors;
  std::vector<Tamper> tampering;
  double oracle_ms;
};

/** Compares outputs with the oracle on inputs that were taken before the kernel could change them. */
class Verifier {
 public:
  Verifier(Device &device, const PreparedCase &prepared, const Oracle &oracle, Rules rules);
  /** Copies the inputs as they are now. */
  void take_inputs(std::size_t set);
  /** By tensor index, empty for inputs. */
  using Outputs = std::vector<std::vector<unsigned char>>;
  Outputs take_outputs(std::size_t set) const;
  Judgement judge(const Outputs &outputs);

 private:
  struct Wide {
    std::vector<double> floating;
    std::vector<std::int64_t> integers;
    void *data() { return floating.empty() ? static_cast<void *>(integers.data()) : floating.data(); }
  };

  Device &device_;
  const PreparedCase &prepared_;
  const Oracle &oracle_;
  Rules rules_;
  std::vector<Wide> wide_;
};

}  // namespace pawl
