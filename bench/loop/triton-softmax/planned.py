"""The tutorial's kernel, with its launch planned once per shape: the tutorial compiles and asks for registers in every call."""

import os

import torch
import triton
from pawl_candidate.definitions import definitions_of  # Pawl's own

adopted = definitions_of(os.path.join(os.path.dirname(os.path.abspath(__file__)), "02-fused-softmax.py"), "softmax")
plans = {}


def plan(x, y):
    rows, columns = x.shape
    block, warps, stages = triton.next_power_of_2(columns), 8, 4
    kernel = adopted.softmax_kernel.warmup(
        y, x, x.stride(0), y.stride(0), rows, columns, BLOCK_SIZE=block, num_stages=stages, num_warps=warps, grid=(1,)
    )
    kernel._init_handles()
    occupancy = adopted.NUM_REGS // (kernel.n_regs * adopted.WARP_SIZE * warps)
    occupancy = min(occupancy, adopted.SIZE_SMEM // max(1, kernel.metadata.shared))
    return min(adopted.NUM_SM * max(1, occupancy), rows), block, stages, warps


def softmax(x):
    y = torch.empty_like(x)
    if x.shape not in plans:
        plans[x.shape] = plan(x, y)
    programs, block, stages, warps = plans[x.shape]
    rows, columns = x.shape
    adopted.softmax_kernel[(programs, 1, 1)](
        y, x, x.stride(0), y.stride(0), rows, columns, block, stages, num_warps=warps
    )
    return y
