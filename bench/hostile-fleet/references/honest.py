"""The zoo's problems, done honestly in NumPy."""

import numpy as np


def softmax(x):
    weights = np.exp(x - x.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)


def product(a, b):
    return a @ b


def doubled(x):
    return 2 * x


def energy(x):
    return np.mean(x * x, axis=-1)
