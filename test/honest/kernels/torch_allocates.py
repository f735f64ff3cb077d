"""Honest: allocates large temporary tensors in every call."""

import torch

framework = "torch"


def total(x):
    copies = x.to(torch.float64).repeat(8, 1)
    return copies.sum(dim=1).mean().to(x.dtype).reshape(1)
