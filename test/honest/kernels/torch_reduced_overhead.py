"""Honest: torch.compile with CUDA graphs of its own (mode reduce-overhead), whose result lies in the graph's memory."""

import torch


@torch.compile(mode="reduce-overhead")
def softmax(x):
    weights = torch.exp(x - x.amax(dim=-1, keepdim=True))
    return weights / weights.sum(dim=-1, keepdim=True)
