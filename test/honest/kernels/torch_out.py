"""Honest: writes into the outputs it is given, through a view of them."""

import torch

framework = "torch"


def softmax(x, *, out):
    rows = out.view(-1, out.shape[-1])
    torch.softmax(x.reshape(rows.shape), dim=-1, out=rows)
