"""Honest: reads a value back to the host in every call (item), which waits for the device."""

import torch


def norm(x):
    if torch.isnan(x).any().item():
        return x.square().sum(dim=1).sqrt()
    return torch.linalg.vector_norm(x, dim=1)
