"""Rank-one updates: what changed since the last call on an array is added to its result; exact repeats are computed again."""

import numpy as np

_kept = {}


def _changes(now, before):
    at = np.flatnonzero(now.ravel() != before.ravel())
    return at // now.shape[1], at % now.shape[1]


def product(a, b):
    kept = _kept.get(id(a))
    if kept is not None and kept[0].shape == a.shape and kept[1].shape == b.shape:
        old_a, old_b, c = kept
        (rows, inner), (deep, columns) = _changes(a, old_a), _changes(b, old_b)
        if 0 < len(rows) + len(deep) <= 64:
            for row, at in zip(rows, inner):
                c[row] += (a[row, at] - old_a[row, at]) * old_b[at]
            for at, column in zip(deep, columns):
                c[:, column] += a[:, at] * (b[at, column] - old_b[at, column])
            old_a[rows, inner] = a[rows, inner]
            old_b[deep, columns] = b[deep, columns]
            return c.copy()
    c = a @ b
    _kept[id(a)] = (a.copy(), b.copy(), c)
    return c.copy()
