"""Honest: computes in channels_last, and returns a result whose elements do not lie in order."""

import torch

framework = "torch"


def softmax(x):
    return torch.softmax(x.contiguous(memory_format=torch.channels_last), dim=-1)
