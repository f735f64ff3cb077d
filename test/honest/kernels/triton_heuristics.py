"""Honest: Triton with heuristics that choose the block and the number of warps from the arguments."""

import torch
import triton
import triton.language as tl


@triton.heuristics(
    {
        "BLOCK": lambda given: triton.next_power_of_2(given["length"]),
        "num_warps": lambda given: 8 if given["length"] > 1024 else 4,
    }
)
@triton.jit
def _softmax(x, y, length, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    at = tl.arange(0, BLOCK)
    values = tl.load(x + row * length + at, mask=at < length, other=-float("inf"))
    weights = tl.exp(values - tl.max(values, axis=0))
    tl.store(y + row * length + at, weights / tl.sum(weights, axis=0), mask=at < length)


def softmax(x):
    y = torch.empty_like(x)
    length = x.shape[-1]
    _softmax[(x.numel() // length,)](x, y, length)
    return y
