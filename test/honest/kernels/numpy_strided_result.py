"""Honest: returns an array of its own whose elements do not lie in order."""

import numpy as np


def softmax(x):
    turned = np.ascontiguousarray(np.moveaxis(x, -1, 0))
    weights = np.exp(turned - turned.max(axis=0))
    weights /= weights.sum(axis=0)
    return np.moveaxis(weights, 0, -1)
