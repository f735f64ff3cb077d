"""Honest: softmax along the last axis, in NumPy."""

import numpy as np


def softmax(x):
    weights = np.exp(x - x.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)
