"""Honest: counts, sorts and sums in integers."""

import numpy as np


def histogram(x):
    return np.bincount(x, minlength=256).astype(np.int32)


def scan(x):
    return np.cumsum(x, dtype=np.int64)


def sort(x):
    return np.sort(x)
