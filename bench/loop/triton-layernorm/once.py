"""A row is loaded once and held in registers, where the tutorial loads it three times."""

import torch
import triton
import triton.language as tl


@triton.jit
def norm_row(x, y, weight, bias, mean_out, rstd_out, stride, N, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    at = tl.arange(0, BLOCK)
    inside = at < N
    a = tl.load(x + row * stride + at, mask=inside, other=0.0, eviction_policy="evict_first").to(tl.float32)
    w = tl.load(weight + at, mask=inside, eviction_policy="evict_last").to(tl.float32)
    b = tl.load(bias + at, mask=inside, eviction_policy="evict_last").to(tl.float32)
    mean = tl.sum(a, axis=0) / N
    centred = tl.where(inside, a - mean, 0.0)
    rstd = tl.rsqrt(tl.sum(centred * centred, axis=0) / N + eps)
    tl.store(mean_out + row, mean)
    tl.store(rstd_out + row, rstd)
    tl.store(y + row * stride + at, (centred * rstd * w + b).to(tl.float16), mask=inside, eviction_policy="evict_first")


def layer_norm(x, weight, bias, *, M, N, normalized_shape, eps):
    y = torch.empty_like(x)
    # What the backward pass needs is made here as well, as in the tutorial.
    mean = torch.empty(x.shape[0], dtype=torch.float32, device=x.device)
    rstd = torch.empty(x.shape[0], dtype=torch.float32, device=x.device)
    block = triton.next_power_of_2(x.shape[1])
    norm_row[(x.shape[0],)](x, y, weight, bias, mean, rstd, x.stride(0), x.shape[1], eps, BLOCK=block, num_warps=WARPS(block))
    return y


def WARPS(block):
    return max(1, min(8, block // 1024))
