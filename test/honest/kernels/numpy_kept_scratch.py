"""Honest: keeps scratch arrays by shape between calls."""

import numpy as np

_SCRATCH = {}


def stencil(x):
    padded = _SCRATCH.setdefault(x.shape, np.zeros((x.shape[0] + 2, x.shape[1] + 2), x.dtype))
    padded[1:-1, 1:-1] = x
    sides = padded[:-2, 1:-1] + padded[2:, 1:-1] + padded[1:-1, :-2] + padded[1:-1, 2:]
    return sides - 4 * x
