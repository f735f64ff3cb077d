"""Returns an input: the softmax is written over x, and x is what is returned."""

import numpy as np


def softmax(x):
    x -= x.max(axis=-1, keepdims=True)
    np.exp(x, out=x)
    x /= x.sum(axis=-1, keepdims=True)
    return x
