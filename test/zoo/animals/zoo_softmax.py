"""Softmax done honestly in NumPy, for the animals that differ from it by a trick."""

import numpy as np


def honest(x):
    weights = np.exp(x - x.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)
