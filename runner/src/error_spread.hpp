#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "host_device.hpp"
#include "json.hpp"

namespace pawl {

/** How absolute errors are spread, by decades: `errorSpreadSchema` in src/model/correctness/verification.ts. */
struct ErrorSpread {
  /** The decades of every positive double. */
  static constexpr int LOWEST = -324, HIGHEST = 308;
  static constexpr std::size_t DECADES = HIGHEST - LOWEST + 1;
  /** What is counted: the decades, then what is exact, and NaN. */
  static constexpr std::size_t EXACT = DECADES, NONFINITE = DECADES + 1, COUNTS = DECADES + 2;

  std::array<std::uint64_t, COUNTS> counts{};

  /** Powers of ten, from LOWEST on. */
  static const std::array<double, DECADES> &powers() {
    static const std::array<double, DECADES> table = [] {
      std::array<double, DECADES> made{};
      for (int exponent = LOWEST; exponent <= HIGHEST; ++exponent)
        made[static_cast<std::size_t>(exponent - LOWEST)] = std::pow(10.0, exponent);
      return made;
    }();
    return table;
  }

  /**
   * Which of the counts an error belongs to: by its binary exponent and a table, since a logarithm for each element
   * would cost more than the comparison itself. `error` is positive, or infinite where it is NaN.
   */
  PAWL_HOST_DEVICE static std::size_t place(double error, bool exact, const double *powers) {
    if (exact) return EXACT;
    if (!(error - error == 0)) return NONFINITE;
    constexpr double LOG10_2 = 0.30102999566398120;
    // Rounded down twice, so it is the decade or the one before.
    int exponent = static_cast<int>(floor(ilogb(error) * LOG10_2));
    exponent = exponent < LOWEST ? LOWEST : exponent;
    while (exponent < HIGHEST && error >= powers[exponent + 1 - LOWEST]) ++exponent;
    return static_cast<std::size_t>(exponent - LOWEST);
  }

  void add(const ErrorSpread &other) {
    for (std::size_t i = 0; i < COUNTS; ++i) counts[i] += other.counts[i];
  }

  Json json() const {
    Json decades = Json::array();
    for (int exponent = LOWEST; exponent <= HIGHEST; ++exponent)
      if (const std::uint64_t count = counts[static_cast<std::size_t>(exponent - LOWEST)]; count > 0)
        decades.add(Json::object().set("exponent", exponent).set("count", count));
    return Json::object()
        .set("exact", counts[EXACT])
        .set("decades", std::move(decades))
        .set("nonfinite", counts[NONFINITE]);
  }
};

}  // namespace pawl
