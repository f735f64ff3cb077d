"""Honest: a matrix product by einsum."""

import numpy as np


def matmul(a, b):
    return np.einsum("ik,kj->ij", a, b)
