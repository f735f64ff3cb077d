"""Honest: an autograd function of its own, called through vmap."""

import torch

framework = "torch"


class _Axpy(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x, y):
        return y + 3 * x

    @staticmethod
    def setup_context(context, inputs, output):
        pass


def axpy(x, y):
    y.copy_(torch.vmap(_Axpy.apply)(x, y))
