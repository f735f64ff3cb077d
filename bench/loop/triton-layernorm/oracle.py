"""Layer norm on double precision."""

import torch


def layer_norm(x, weight, bias, *, M, N, normalized_shape, eps):
    centred = x - x.mean(dim=1, keepdim=True)
    return centred / torch.sqrt((centred * centred).mean(dim=1, keepdim=True) + eps) * weight + bias
