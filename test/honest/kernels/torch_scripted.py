"""Honest: torch.jit, which profiles its first calls and specialises after them."""

import torch

framework = "torch"


@torch.jit.script
def _gelu(x: torch.Tensor) -> torch.Tensor:
    return 0.5 * x * torch.erfc(-x * 0.7071067811865476)


def gelu(x):
    return _gelu(x)
