"""Honest: scaled_dot_product_attention, whichever of its kernels is chosen."""

import torch

framework = "torch"


def attention(q, k, v):
    return torch.nn.functional.scaled_dot_product_attention(q, k, v)
