#pragma once

#include <string>
#include <vector>

#include "json.hpp"

namespace pawl {

/** What a detector saw; its names are those of src/model/correctness/detector.ts. */
struct Tamper {
  const char *detector;
  /** Empty where it is about none. */
  std::string tensor;
  std::string message;
};

/** Adds a finding, unless that detector has found something about that tensor: one fault is told once. */
void report(std::vector<Tamper> &found, Tamper tamper);
void report_all(std::vector<Tamper> &found, const std::vector<Tamper> &more);

Json tampering_json(const std::vector<Tamper> &tampering);

}  // namespace pawl
