"""Honest: the right factor is transposed before, which its layout may be worth."""

import numpy as np


def prepare(b):
    return np.asfortranarray(b)


def product(a, b, prepared):
    return a @ prepared
