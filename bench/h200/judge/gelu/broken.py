"""Cannot be imported: there is no such module."""

import torch
import triton_of_another_world
from torch import nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return triton_of_another_world.gelu(x)
