// What the attention oracle does within a warp, in plain C++.
#ifndef PAWL_EMULATOR_SHUFFLE_INSTRUCTIONS_H
#define PAWL_EMULATOR_SHUFFLE_INSTRUCTIONS_H

#include "cuda_runtime.h"

template <typename T>
T __shfl_xor_sync(unsigned, T x, int mask) {
  struct Exchange {
    T in, out;
    int mask;
  } exchange{x, 0, mask};
  emulator::with_warp(exchange, [](Exchange **lanes) {
    for (int lane = 0; lane < 32; lane++) lanes[lane]->out = lanes[lane ^ lanes[lane]->mask]->in;
  });
  return exchange.out;
}

#endif
