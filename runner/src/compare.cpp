#include "compare.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pawl {
namespace {

constexpr double INFINITE = std::numeric_limits<double>::infinity();

/** Collects elements' errors into one verdict a tensor. */
class Comparison {
 public:
  Comparison(const TensorSpec &tensor, Tolerance tolerance) : tensor_(tensor), tolerance_(tolerance) {}

  /** `abs_err` is infinite where NaN or an infinity stands on one side only. */
  void element(std::size_t index, double abs_err, double magnitude) {
    max_abs_err_ = std::max(max_abs_err_, abs_err);
    if (magnitude > 0) max_rel_err_ = std::max(max_rel_err_, abs_err / magnitude);
    // Written so that a NaN on either side of <= is a mismatch.
    if (!(abs_err <= tolerance_.atol + tolerance_.rtol * magnitude)) {
      ++mismatches_;
      if (abs_err > worst_err_) {
        worst_err_ = abs_err;
        worst_ = index;
      }
    }
  }

  bool has_worst() const { return mismatches_ > 0; }
  std::size_t worst() const { return worst_; }

  TensorComparison result(Json got, Json want) const {
    Json json = Json::object();
    json.set("name", tensor_.name)
        .set("elements", static_cast<std::uint64_t>(tensor_.elements))
        .set("mismatches", static_cast<std::uint64_t>(mismatches_))
        .set("max_abs_err", max_abs_err_)
        .set("max_rel_err", max_rel_err_);
    if (has_worst())
      json.set("worst", Json::object()
                            .set("index", coordinates())
                            .set("got", std::move(got))
                            .set("want", std::move(want)));
    return {mismatches_, std::move(json)};
  }

 private:
  const TensorSpec &tensor_;
  Tolerance tolerance_;
  std::size_t mismatches_ = 0;
  std::size_t worst_ = 0;
  double worst_err_ = -1;
  double max_abs_err_ = 0;
  double max_rel_err_ = 0;

  Json coordinates() const {
    std::vector<std::int64_t> index(tensor_.shape.size());
    std::size_t rest = worst_;
    for (std::size_t axis = index.size(); axis-- > 0;) {
      index[axis] = static_cast<std::int64_t>(rest % static_cast<std::size_t>(tensor_.shape[axis]));
      rest /= static_cast<std::size_t>(tensor_.shape[axis]);
    }
    return Json::list(index);
  }
};

/** NaN and infinities must stand in the same places, infinities with the same sign. */
double floating_error(double got, double want) {
  if (std::isfinite(got) && std::isfinite(want)) return std::fabs(got - want);
  if (std::isnan(got) && std::isnan(want)) return 0;
  return got == want ? 0 : INFINITE;
}

/** Subtracted as unsigned: the distance of two int64 always fits, their signed difference does not. */
double integer_error(std::int64_t got, std::int64_t want) {
  const auto a = static_cast<std::uint64_t>(got);
  const auto b = static_cast<std::uint64_t>(want);
  return static_cast<double>(got > want ? a - b : b - a);
}

}  // namespace

TensorComparison compare_floating(const TensorSpec &tensor, const void *got, const std::vector<double> &want,
                                  Tolerance tolerance) {
  Comparison comparison(tensor, tolerance);
  for (std::size_t i = 0; i < tensor.elements; ++i)
    comparison.element(i, floating_error(load_floating(got, tensor.dtype, i), want[i]),
                       std::isfinite(want[i]) ? std::fabs(want[i]) : 0);
  const std::size_t worst = comparison.worst();
  return comparison.result(load_floating(got, tensor.dtype, worst), want[worst]);
}

TensorComparison compare_integers(const TensorSpec &tensor, const void *got, const std::vector<std::int64_t> &want,
                                  Tolerance tolerance) {
  Comparison comparison(tensor, tolerance);
  for (std::size_t i = 0; i < tensor.elements; ++i) {
    comparison.element(i, integer_error(load_integer(got, tensor.dtype, i), want[i]),
                       std::fabs(static_cast<double>(want[i])));
  }
  const std::size_t worst = comparison.worst();
  return comparison.result(load_integer(got, tensor.dtype, worst), want[worst]);
}

}  // namespace pawl
