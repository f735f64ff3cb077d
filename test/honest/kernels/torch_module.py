"""Honest: a module whose weights and settings are made at import, and moved to the device of its first input."""

import torch

framework = "torch"

# The problem is in f32, and this is on unless it is turned off.
torch.backends.cudnn.allow_tf32 = False

_LAPLACE = torch.nn.Conv2d(1, 1, 3, padding=1, bias=False)
with torch.no_grad():
    _LAPLACE.weight.copy_(torch.tensor([[0.0, 1, 0], [1, -4, 1], [0, 1, 0]]))
_LAPLACE.eval()


def stencil(x):
    _LAPLACE.to(x.device)
    return _LAPLACE(x[None, None])[0, 0]
