"""Honest: keeps the plan of a shape (the order of its elements) in an lru_cache, and nothing of contents."""

import functools

import numpy as np


@functools.lru_cache(maxsize=16)
def _order(rows, columns):
    return np.arange(rows * columns).reshape(rows, columns).T.ravel().copy()


def transpose(x):
    rows, columns = x.shape
    return x.ravel()[_order(rows, columns)].reshape(columns, rows)
