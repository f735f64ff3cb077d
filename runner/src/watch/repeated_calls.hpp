#pragma once

#include <cstdint>

#include "../audit.hpp"

namespace pawl {

/** Calls the kernel again and again on the same inputs, and looks at what every call leaves: memory, file traffic. */
void watch_repeated_calls(Device &device, PreparedCase &prepared, std::size_t set, std::int64_t calls,
                          AuditReport &report);

/** Compares how long a call takes on contents it has just seen with contents it has never seen. */
void watch_contents(Device &device, PreparedCase &prepared, std::size_t set, std::int64_t rounds,
                    AuditReport &report);

}  // namespace pawl
