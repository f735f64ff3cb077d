#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "json.hpp"

namespace pawl {

/** How absolute errors are spread, by decades: `errorSpreadSchema` in src/model/check.ts. */
class ErrorSpread {
 public:
  void exact() { ++exact_; }
  /** `error` is positive, or infinite where it is no number. */
  void add(double error) {
    if (std::isfinite(error))
      ++decades_[static_cast<std::size_t>(decade(error) - LOWEST)];
    else
      ++nonfinite_;
  }

  void add(const ErrorSpread &other) {
    exact_ += other.exact_;
    nonfinite_ += other.nonfinite_;
    for (std::size_t i = 0; i < decades_.size(); ++i) decades_[i] += other.decades_[i];
  }

  Json json() const {
    Json decades = Json::array();
    for (int exponent = LOWEST; exponent <= HIGHEST; ++exponent)
      if (const std::uint64_t count = decades_[static_cast<std::size_t>(exponent - LOWEST)]; count > 0)
        decades.add(Json::object().set("exponent", exponent).set("count", count));
    return Json::object().set("exact", exact_).set("decades", std::move(decades)).set("nonfinite", nonfinite_);
  }

 private:
  /** The decades of every positive double. */
  static constexpr int LOWEST = -324, HIGHEST = 308;

  std::uint64_t exact_ = 0;
  std::uint64_t nonfinite_ = 0;
  std::array<std::uint64_t, HIGHEST - LOWEST + 1> decades_{};

  /** floor(log10(error)), from the binary exponent and a table: a logarithm for each element would cost more than
   * the comparison itself. */
  static int decade(double error) {
    static const std::array<double, HIGHEST - LOWEST + 1> powers = [] {
      std::array<double, HIGHEST - LOWEST + 1> table{};
      for (int exponent = LOWEST; exponent <= HIGHEST; ++exponent)
        table[static_cast<std::size_t>(exponent - LOWEST)] = std::pow(10.0, exponent);
      return table;
    }();
    constexpr double LOG10_2 = 0.30102999566398120;
    // Rounded down twice, so it is the decade or the one before.
    int exponent = static_cast<int>(std::floor(std::ilogb(error) * LOG10_2));
    exponent = exponent < LOWEST ? LOWEST : exponent;
    while (exponent < HIGHEST && error >= powers[static_cast<std::size_t>(exponent + 1 - LOWEST)]) ++exponent;
    return exponent;
  }
};

}  // namespace pawl
