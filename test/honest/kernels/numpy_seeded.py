"""Honest: shuffles rows by a generator that starts from the same seed in every call, and puts them back."""

import numpy as np


def softmax(x):
    rows = x.reshape(-1, x.shape[-1])
    order = np.random.default_rng(7).permutation(len(rows))
    weights = np.exp(rows[order] - rows[order].max(axis=-1, keepdims=True))
    result = np.empty_like(rows)
    result[order] = weights / weights.sum(axis=-1, keepdims=True)
    return result.reshape(x.shape)
