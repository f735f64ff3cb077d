"""PyTorch's own layer norm."""

import torch


def layer_norm(x, weight, bias, *, M, N, normalized_shape, eps):
    return torch.nn.functional.layer_norm(x, (N,), weight, bias, eps)
