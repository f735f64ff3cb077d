"""One pass: PyTorch has this formula as a kernel."""

import torch
from torch import nn
from torch.nn import functional


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return functional.gelu(x, approximate="tanh")
