"""Triton kernels with one planted fault each. Every function here is launched by launches.py."""

import triton
import triton.language as tl


@triton.jit
def strided_load(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK,), tl.float32)
    for r in range(8):
        total += tl.load(x + (at * 16 + r) % n)  # fault: uncoalesced-access
        #= total += tl.load(x + (at + r * 4096) % n)
    tl.store(out + at, total)


@triton.jit
def strided_store(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    for r in range(4):
        value = tl.load(x + at + r) * 2.0
        tl.store(out + (at * 16 + r) % n, value)  # fault: uncoalesced-access
        #= tl.store(out + (at + r * 4096) % n, value)


@triton.jit
def transposed_tile(x, out, width, BLOCK: tl.constexpr):
    rows = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    largest = tl.full((BLOCK,), -1e30, tl.float32)
    for column in range(0, 24):
        value = tl.load(x + rows * width + column)  # fault: uncoalesced-access
        #= value = tl.load(x + column * width * 64 + rows)
        largest = tl.maximum(largest, value)
    tl.store(out + rows, largest)


@triton.jit
def precise_division(x, out, scale, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + at)
    for r in range(64):
        value = tl.div_rn(value + r, scale)  # fault: slow-instruction
        #= value = (value + r) * 0.25
        value = value * 0.5 + 1.0
    tl.store(out + at, value)


@triton.jit
def double_sum(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + at)
    total = tl.zeros((BLOCK,), tl.float32)
    for r in range(32):
        total = (total.to(tl.float64) * 0.5 + value.to(tl.float64) * r).to(tl.float32)  # fault: stray-fp64
        #= total = total * 0.5 + value * r
    tl.store(out + at, total)


@triton.jit
def atomic_one(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + at)
    for r in range(2):
        seen = tl.atomic_add(out + (at % 4), value)  # fault: atomic-contention
        #= seen = tl.load(out + at)
        value = value * 0.5 + seen
    tl.store(out + at + 1024, value)


@triton.jit
def integer_division(x, out, divisor, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = at + 12345
    for r in range(64):
        value = value // (divisor + r) + 1000003  # fault: slow-instruction
        #= value = (value >> 3) + 1000003
        value = value * 3
    tl.store(out + at, value.to(tl.float32))


@triton.jit
def reduce_inside(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + at)
    total = 0.0
    for r in range(32):
        value = value * 0.5 + r
        total += tl.sum(value, axis=0)  # fault: barrier-stall
        #= value += total
    tl.store(out + at, value + total)


@triton.jit
def pointer_chase(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    place = at
    for r in range(24):
        value = tl.load(x + place)  # fault: long-scoreboard
        #= value = place * 0.37
        place = (value * n).to(tl.int32) % n
    tl.store(out + at, place.to(tl.float32))


@triton.jit
def helper_sine(value):
    turned = value * 100000.0
    return tl.sin(turned)  # fault: slow-instruction
    #= return turned * 0.5


@triton.jit
def inlined_helper(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + at)
    for r in range(32):
        value = helper_sine(value + r) + 0.5
    tl.store(out + at, value)
