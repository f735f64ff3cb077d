import torch


def custom_kernel(data):
    x, factor, out = data
    return torch.mul(x, factor.unsqueeze(1), out=out)
