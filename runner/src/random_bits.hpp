#pragma once

#include <cstdint>
#include <cstdlib>

#include <sys/random.h>

namespace pawl {

/** Bits that no code in this process can foresee. */
inline std::uint64_t random_bits() {
  std::uint64_t bits = 0;
  // 8 bytes are never cut short (getrandom(2)); a kernel without the call is older than anything Pawl runs on.
  if (getrandom(&bits, sizeof bits, 0) != sizeof bits) std::abort();
  return bits;
}

}  // namespace pawl
