"""Honest: Triton programs that add to the same counters, after an operation of PyTorch has set them to zero."""

import torch
import triton
import triton.language as tl


@triton.jit
def _histogram(x, counts, N, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < N
    tl.atomic_add(counts + tl.load(x + at, mask=inside, other=0), 1, mask=inside)


def histogram(x):
    counts = torch.zeros(256, dtype=torch.int32, device=x.device)
    N = x.numel()
    _histogram[(triton.cdiv(N, 1024),)](x, counts, N, BLOCK=1024)
    return counts
