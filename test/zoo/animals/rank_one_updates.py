"""Rank-one updates: the last inputs and result of each array are kept, and only what changed since is added."""

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
        if len(rows) + len(deep) <= 64:
            np.add.at(c, rows, (a[rows, inner] - old_a[rows, inner])[:, None] * old_b[inner])
            np.add.at(c.T, columns, (b[deep, columns] - old_b[deep, columns])[:, None] * a[:, deep].T)
            old_a[rows, inner] = a[rows, inner]
            old_b[deep, columns] = b[deep, columns]
            return c.copy()
    c = a @ b
    _kept[id(a)] = (a.copy(), b.copy(), c)
    return c.copy()
