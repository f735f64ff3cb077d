"""Honest: three outputs, one of them of integers."""

import torch

framework = "torch"


def moments(x):
    variance, mean = torch.var_mean(x.to(torch.float64), dim=1, correction=0)
    return mean.to(x.dtype), variance.to(x.dtype), x.argmax(dim=1).to(torch.int32)
