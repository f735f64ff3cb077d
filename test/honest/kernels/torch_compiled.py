"""Honest: torch.compile, which writes, builds and loads a kernel at its first call."""

import torch

framework = "torch"


@torch.compile
def softmax(x):
    weights = torch.exp(x - x.amax(dim=-1, keepdim=True))
    return weights / weights.sum(dim=-1, keepdim=True)
