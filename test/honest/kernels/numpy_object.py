"""Honest: the function is an object with a state of its own (it counts its calls), and prints at import."""

import numpy as np

print("numpy_object: loaded")


class _Total:
    def __init__(self):
        self.calls = 0

    def __call__(self, x):
        self.calls += 1
        return np.array([x.sum(dtype=np.float64)], dtype=x.dtype)


total = _Total()
