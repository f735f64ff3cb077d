#pragma once

#include "checker.hpp"
#include "oracle.hpp"

namespace pawl {

/** What says whether outputs are right: an oracle, a checker, or both for different outputs. */
struct Judges {
  const Oracle *oracle = nullptr;
  const Checker *checker = nullptr;

  /** For sentences. */
  std::string name() const { return oracle != nullptr ? oracle->name() : checker->name(); }
};

}  // namespace pawl
