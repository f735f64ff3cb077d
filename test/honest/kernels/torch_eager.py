"""Honest: PyTorch, one operation after the other."""

import torch

framework = "torch"


def softmax(x):
    weights = torch.exp(x - x.amax(dim=-1, keepdim=True))
    return weights / weights.sum(dim=-1, keepdim=True)


def gelu(x):
    return torch.nn.functional.gelu(x)


def matmul(a, b):
    return a @ b


def sort(x):
    return torch.sort(x).values


def scan(x):
    return torch.cumsum(x, dim=0, dtype=torch.int64)


def histogram(x):
    return torch.bincount(x, minlength=256).to(torch.int32)
