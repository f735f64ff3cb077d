"""Slower: the columns in two halves, put together again."""

import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        parts = []
        for part in x.chunk(2, dim=1):
            inner = 0.7978845608028654 * (part + 0.044715 * torch.pow(part, 3.0))
            parts.append(0.5 * part * (1.0 + torch.tanh(inner)))
        return torch.cat(parts, dim=1)
