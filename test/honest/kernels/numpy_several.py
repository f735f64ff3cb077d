"""Honest: three outputs, one of them of integers; arithmetic in double."""

import numpy as np


def moments(x):
    wide = x.astype(np.float64)
    return (
        wide.mean(axis=1).astype(x.dtype),
        wide.var(axis=1).astype(x.dtype),
        x.argmax(axis=1).astype(np.int32),
    )
