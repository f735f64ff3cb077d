"""Honest: every step writes into the output it is given."""

import numpy as np


def softmax(x, *, out):
    np.subtract(x, x.max(axis=-1, keepdims=True), out=out)
    np.exp(out, out=out)
    np.divide(out, out.sum(axis=-1, keepdims=True), out=out)
