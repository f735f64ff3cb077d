"""Honest: Triton's autotuner, which times its configurations at the first call of a shape and restores the inout."""

import triton
import triton.language as tl


@triton.autotune(
    configs=[
        triton.Config({"BLOCK": 256}, num_warps=2),
        triton.Config({"BLOCK": 1024}, num_warps=4),
        triton.Config({"BLOCK": 2048}, num_warps=8),
    ],
    key=["N"],
    restore_value=["y"],
)
@triton.jit
def _axpy(x, y, N, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < N
    tl.store(y + at, tl.load(y + at, mask=inside) + 3 * tl.load(x + at, mask=inside), mask=inside)


def axpy(x, y):
    N = x.numel()
    _axpy[lambda meta: (triton.cdiv(N, meta["BLOCK"]),)](x, y, N)
