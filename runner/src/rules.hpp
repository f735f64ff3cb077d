#pragma once

#include <map>
#include <optional>
#include <string>

#include "fields.hpp"

namespace pawl {

/** When an output is right. */
struct Rules {
  double atol;
  double rtol;
  /** How many times the error of a trusted implementation may be, where there is one. */
  std::optional<double> factor = std::nullopt;
  /** The share of elements that must be within. A NaN or an infinity in the wrong place is never excused. */
  double share = 1;
};

/** The rules of all outputs. */
struct RuleSet {
  Rules general;
  /** By name, of outputs that have rules of their own. */
  std::map<std::string, Rules> outputs = {};

  bool has_own(const std::string &output) const { return outputs.count(output) > 0; }
  const Rules &of(const std::string &output) const {
    const auto own = outputs.find(output);
    return own == outputs.end() ? general : own->second;
  }
  /** Whether any of them needs the error of a trusted implementation. */
  bool want_reference() const;
};

/** `atol`, `rtol`, `factor`, `share` and `outputs` of a request. */
RuleSet read_rules(const Fields &request);

}  // namespace pawl
