"""Honest: rows come from a generator, and are put together from an iterator."""

import numpy as np


def _rows(x):
    for row in x.reshape(-1, x.shape[-1]):
        weights = np.exp(row - row.max())
        yield weights / weights.sum()


def softmax(x):
    return np.concatenate(list(_rows(x))).reshape(x.shape)
