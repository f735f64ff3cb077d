"""Honest: f16 in and out, with error handling of its own that is put back."""

import math

import numpy as np

_erfc = np.frompyfunc(math.erfc, 1, 1)


def gelu(x):
    with np.errstate(all="ignore"):
        wide = x.astype(np.float64)
        return (0.5 * wide * _erfc(-wide * math.sqrt(0.5)).astype(np.float64)).astype(np.float16)
