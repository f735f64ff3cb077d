"""Honest: lists and the standard library, nothing of NumPy but the arrays themselves."""

import math

import numpy as np


def softmax(x):
    rows = []
    for row in x.reshape(-1, x.shape[-1]).tolist():
        largest = max(row)
        weights = [math.exp(v - largest) for v in row]
        total = math.fsum(weights)
        rows.append([weight / total for weight in weights])
    return np.asarray(rows, dtype=x.dtype).reshape(x.shape)
