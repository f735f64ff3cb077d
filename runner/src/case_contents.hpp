#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "device.hpp"
#include "input_generator.hpp"
#include "problem.hpp"
#include "recordings.hpp"

namespace pawl {

/** Makes what inputs and inouts of a case hold: by their fills, from recordings, or by what generates all of them. */
class CaseContents {
 public:
  /** The stream of contents whose recorded tensors are as they were recorded. Other tensors take that of set 0. */
  static constexpr std::size_t AS_RECORDED = ~std::size_t(0);

  /** `seed`: of the case. `generator`: what makes inputs, where their fills do not. */
  CaseContents(Device &device, Problem &problem, std::uint64_t seed, InputGenerator *generator);

  bool has_recordings() const { return !recordings_.empty(); }
  /** Inputs that are generated or recorded change together. */
  bool are_made_together() const { return generator_ != nullptr || has_recordings(); }
  /**
   * Whether an input stays while others change, so that nothing has to be prepared between timed calls: whatever a
   * kernel makes of it, it may make beforehand.
   */
  bool stay(std::size_t tensor) const { return problem_.tensors[tensor].prepared_from && !are_made_together(); }
  /** Whether contents of another seed have other values throughout: some input is not recorded. */
  bool differ() const;
  /** Whether there is time to make contents that no other purpose needs. */
  bool may_make_more() const { return generator_ == nullptr || generator_->may_make_more(); }
  /** Made contents that are too large to be kept, and are in place now, are forgotten. */
  void leave_out_large() {
    if (generator_ != nullptr) generator_->leave_out_large();
  }

  /** Puts first contents of a seed and stream there. */
  void fill(std::size_t tensor, std::uint64_t seed, std::size_t stream, void *data);
  /** Other, unpredictable values by the tensor's fill. */
  void fill_anew(std::size_t tensor, void *data);

  /** Contents that a few elements of change. */
  struct Changed {
    std::size_t set;
    std::uint64_t seed;
    std::size_t stream;
    /** What says which elements are other ones now, and shall be; 0: none. */
    std::uint64_t key_before;
    std::uint64_t key;
    /** Inouts too, which hold their first values. */
    bool with_inouts;
    /** By tensor. */
    std::vector<void *> data;
  };
  /** Where a generator makes contents, they are other ones of it, out of a few. */
  void change(const Changed &changed);

 private:
  Device &device_;
  const Problem &problem_;
  std::uint64_t seed_;
  InputGenerator *generator_;
  Recordings recordings_;

  /** How a tensor's contents of a seed and stream are made: its fill, and the key of what changes in it. */
  struct Source {
    Fill fill;
    std::uint64_t key;
  };
  Source source(std::size_t tensor, std::uint64_t seed, std::size_t stream) const;
  /** By a fill that is not recorded. */
  void fill_by(const Fill &fill, std::uint64_t key, const TensorSpec &spec, void *data);
  /** Elements that lie one after the other, to where the tensor has them. */
  void lay_out(const TensorSpec &spec, const void *elements, void *data);
  void put_generated(std::size_t tensor, std::uint64_t seed, void *data);
  /** What the generator makes for a seed and stream, and in its place for a key. */
  std::uint64_t generated_seed(std::uint64_t seed, std::size_t stream, std::uint64_t key) const;
};

}  // namespace pawl
