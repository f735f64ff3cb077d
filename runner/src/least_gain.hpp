#pragma once

namespace pawl {

/**
 * What counts as memory must save more than this share of the time. Predictors learn the branches of a short call:
 * sorting 700 numbers a second time takes 13 % less, though the kernel remembers nothing.
 */
inline double least_gain(double call_ms) { return call_ms < 0.05 ? 0.4 : call_ms < 2 ? 0.25 : 0.15; }

}  // namespace pawl
