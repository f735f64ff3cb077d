"""A program per row: the device's own scheduler keeps every SM supplied, and nothing has to be planned."""

import torch
import triton
import triton.language as tl

# Numbers per warp, programs per SM (0: one per row), and what the caches are told: rows are read and written only once.
PER_WARP, PER_SM, LOAD, STORE = 1024, 0, "evict_first", "evict_first"


@triton.jit
def row_softmax(out, inp, stride_out, stride_in, columns, BLOCK: tl.constexpr, LOAD: tl.constexpr, STORE: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    at = tl.arange(0, BLOCK)
    x = tl.load(inp + row * stride_in + at, mask=at < columns, other=-float("inf"), eviction_policy=LOAD)
    e = tl.exp(x - tl.max(x, axis=0))
    tl.store(out + row * stride_out + at, e * (1 / tl.sum(e, axis=0)), mask=at < columns, eviction_policy=STORE)


@triton.jit
def walking_softmax(
    out, inp, stride_out, stride_in, rows, columns, BLOCK: tl.constexpr, LOAD: tl.constexpr, STORE: tl.constexpr
):  # fmt: skip
    """A program walks over rows: the next one is on its way, into registers, while this one is reduced and written."""
    at = tl.arange(0, BLOCK)
    inside = at < columns
    row = tl.program_id(0).to(tl.int64)
    x = tl.load(inp + row * stride_in + at, mask=inside, other=-float("inf"), eviction_policy=LOAD)
    while row < rows:
        following = row + tl.num_programs(0)
        ahead = inp + following * stride_in + at
        following_x = tl.load(ahead, mask=inside & (following < rows), other=-float("inf"), eviction_policy=LOAD)
        e = tl.exp(x - tl.max(x, axis=0))
        tl.store(out + row * stride_out + at, e * (1 / tl.sum(e, axis=0)), mask=inside, eviction_policy=STORE)
        x = following_x
        row = following


def softmax(x):
    y = torch.empty_like(x)
    rows, columns = x.shape
    block = triton.next_power_of_2(columns)
    warps = max(1, min(32, block // PER_WARP))
    settings = dict(BLOCK=block, LOAD=LOAD, STORE=STORE, num_warps=warps)
    if PER_SM == 0:
        row_softmax[(rows,)](y, x, y.stride(0), x.stride(0), columns, **settings)
    else:
        programs = min(rows, PER_SM * torch.cuda.get_device_properties(x.device).multi_processor_count)
        walking_softmax[(programs,)](y, x, y.stride(0), x.stride(0), rows, columns, **settings)
    return y
