#pragma once

#include <vector>

namespace pawl {

/** Pins the calling thread, and the threads it will start, to CPUs. */
void pin_to(const std::vector<int> &cpus);

}  // namespace pawl
