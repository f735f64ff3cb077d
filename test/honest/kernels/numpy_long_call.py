"""Honest: tens of milliseconds per call, in which Python makes many small objects and lets them go."""

from decimal import Context

import numpy as np

_context = Context(prec=12)


def _rows(x):
    for row in x.reshape(-1, x.shape[-1]):
        scores = (row - row.max()).tolist()
        weights = np.array([float(_context.exp(_context.create_decimal(v))) for v in scores])
        yield (weights / weights.sum()).astype(x.dtype)


def softmax(x):
    return np.concatenate(list(_rows(x))).reshape(x.shape)
