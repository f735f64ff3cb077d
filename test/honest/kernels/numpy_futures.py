"""Honest: the threads of concurrent.futures, made and ended in every call."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np


def _part(x):
    weights = np.exp(x - x.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)


def softmax(x):
    with ThreadPoolExecutor(max_workers=2) as pool:
        return np.concatenate(list(pool.map(_part, np.array_split(x, 2))))
