"""Honest: updates an inout by an operation in place."""

framework = "torch"


def axpy(x, y):
    y.add_(x, alpha=3)
