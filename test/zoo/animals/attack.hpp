// For attacks on the judge: one that cannot reach it says so, and gives no result.
#pragma once

#include "../softmax.hpp"

constexpr int REFUSED = 13;

PAWL_EXPORT const char *pawl_error_text(int code) {
  return code == REFUSED ? "the attack was refused" : "the kernel failed";
}
