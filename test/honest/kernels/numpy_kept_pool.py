"""Honest: a thread pool that is made at import and kept between calls."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np

_POOL = ThreadPoolExecutor(max_workers=2)


def _part(x, y):
    weights = np.exp(x - x.max(axis=-1, keepdims=True))
    np.divide(weights, weights.sum(axis=-1, keepdims=True), out=y)


def softmax(x, *, out):
    half = max(1, x.shape[0] // 2)
    parts = [_POOL.submit(_part, x[:half], out[:half]), _POOL.submit(_part, x[half:], out[half:])]
    for part in parts:
        part.result()
