"""Honest: calls libm through ctypes for every element."""

import ctypes
import ctypes.util

import numpy as np

_LIBM = ctypes.CDLL(ctypes.util.find_library("m") or "libm.so.6")
_LIBM.erfc.restype = ctypes.c_double
_LIBM.erfc.argtypes = [ctypes.c_double]


def gelu(x):
    return np.array([0.5 * v * _LIBM.erfc(-v * 0.5**0.5) for v in x.tolist()], dtype=x.dtype)
