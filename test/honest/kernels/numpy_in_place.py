"""Honest: updates an inout in place, through a temporary array."""


def axpy(x, y):
    y += 3 * x
