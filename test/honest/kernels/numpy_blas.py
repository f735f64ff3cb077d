"""Honest: a matrix product by the BLAS that NumPy has, with its threads."""


def matmul(a, b):
    return a @ b
