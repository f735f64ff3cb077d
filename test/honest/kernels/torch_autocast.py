"""Honest: a product in bf16 under autocast, for a problem in bf16."""

import torch

framework = "torch"


def matmul(a, b):
    with torch.autocast(a.device.type, dtype=torch.bfloat16):
        return torch.matmul(a, b)
