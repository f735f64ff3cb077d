"""The same sum by another way: the transpose of a product."""

import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, A: torch.Tensor, B: torch.Tensor) -> torch.Tensor:
        return torch.matmul(B.T, A.T).T.contiguous()
