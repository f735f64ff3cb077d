#pragma once

#include <algorithm>
#include <cstddef>
#include <system_error>
#include <thread>
#include <vector>

#include <sched.h>

#include "../plain_arithmetic.hpp"

namespace pawl {

/** CPUs this thread may use: one beside a kernel that is pinned to one. */
inline std::size_t usable_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return static_cast<std::size_t>(std::max(1, CPU_COUNT(&set)));
}

/**
 * Does something with every element, in as many threads as there are CPUs, and adds up what the parts come to. No part
 * is so short that starting a thread costs more than it saves.
 */
template <typename Part, typename Work>
Part in_parts(std::size_t elements, const Work &work) {
  constexpr std::size_t LEAST_ELEMENTS = 1 << 18;
  const PlainArithmetic plain;
  const std::size_t count = std::clamp<std::size_t>(elements / LEAST_ELEMENTS, 1, usable_cpus());
  std::vector<Part> parts(count);
  const auto do_part = [&](std::size_t part) {
    // A thread has the arithmetic of the one that started it.
    for (std::size_t i = elements * part / count; i < elements * (part + 1) / count; ++i) work(parts[part], i);
  };
  std::vector<std::thread> helpers;
  std::size_t started = 1;
  try {
    for (; started < count; ++started) helpers.emplace_back(do_part, started);
  } catch (const std::system_error &) {
    // A limit on threads: what is left is done here.
  }
  do_part(0);
  for (std::size_t part = started; part < count; ++part) do_part(part);
  for (std::thread &helper : helpers) helper.join();
  for (std::size_t part = 1; part < count; ++part) parts[0].add(parts[part]);
  return parts[0];
}

}  // namespace pawl
