/** The example kernels in Python: the same problem as in C++ and CUDA, for NumPy, PyTorch and Triton. */

/** The right answer for all of them: plain, and in double precision. */
export const PYTHON_ORACLE = `"""The right answer, computed as exactly as possible. Pawl compares the kernel's output with it."""

import numpy as np

# Its tensors are float64, whatever the kernel's are; arrays on the host, also for a kernel on a GPU.
framework = "numpy"


def softmax(x):
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)
`;

export const NUMPY_KERNEL = `"""Softmax of every row of x, in NumPy. A tunable (pawl.yaml) arrives as a keyword argument of its name:
BLOCK is how many rows are handled at a time, so that they stay in a cache."""

import numpy as np


# Inputs come in the order of pawl.yaml. With a parameter \`out\` a kernel writes into Pawl's output; without one it
# returns its own.
def softmax(x, *, out, BLOCK):
    for start in range(0, len(x), BLOCK):
        rows = slice(start, start + BLOCK)
        np.subtract(x[rows], x[rows].max(axis=1, keepdims=True), out=out[rows])
        np.exp(out[rows], out=out[rows])
        out[rows] /= out[rows].sum(axis=1, keepdims=True)
`;

export const PYTORCH_KERNEL = `"""Softmax of every row of x, in PyTorch: step by step, and as PyTorch has it, to be compared with \`pawl race\`."""

import torch


# Inputs come in the order of pawl.yaml, as tensors on the kernel's device; outputs are returned.
def softmax(x):
    e = torch.exp(x - x.amax(dim=1, keepdim=True))
    return e / e.sum(dim=1, keepdim=True)


def builtin(x):
    return torch.softmax(x, dim=1)
`;

export const TRITON_KERNEL = `"""Softmax of every row of x in Triton, one program per row. Tunables (pawl.yaml) arrive as keyword arguments:
BLOCK is how many columns are handled at a time, num_warps how many warps share a row. Without \`triton.autotune\`:
\`pawl tune\` searches, and says whether what it found is really faster."""

import torch
import triton
import triton.language as tl


@triton.jit
def _softmax(x, y, cols, BLOCK: tl.constexpr):
    x += tl.program_id(0).to(tl.int64) * cols
    y += tl.program_id(0).to(tl.int64) * cols
    largest = tl.full((BLOCK,), -float("inf"), tl.float32)
    total = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, cols, BLOCK):
        at = start + tl.arange(0, BLOCK)
        part = tl.load(x + at, mask=at < cols, other=-float("inf"))
        higher = tl.maximum(largest, part)
        # A lane that has seen no column yet has no sum to rescale.
        total = total * tl.where(largest == -float("inf"), 0.0, tl.exp(largest - higher)) + tl.where(
            part == -float("inf"), 0.0, tl.exp(part - higher)
        )
        largest = higher
    shift = tl.max(largest, axis=0)
    total = tl.sum(tl.where(largest == -float("inf"), 0.0, total * tl.exp(largest - shift)), axis=0)
    for start in range(0, cols, BLOCK):
        at = start + tl.arange(0, BLOCK)
        part = tl.load(x + at, mask=at < cols, other=-float("inf"))
        tl.store(y + at, tl.exp(part - shift) / total, mask=at < cols)


# Inputs come in the order of pawl.yaml, as PyTorch tensors on the device; outputs are returned.
def softmax(x, *, BLOCK, num_warps):
    y = torch.empty_like(x)
    _softmax[(x.shape[0],)](x, y, x.shape[1], BLOCK=BLOCK, num_warps=num_warps)
    return y
`;
