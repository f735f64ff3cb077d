"""Honest: turns on the fault handler at its first call, and keeps a lock for processes, as progress bars do."""

import faulthandler
import multiprocessing

import numpy as np

_lock = []


def softmax(x):
    if not _lock:
        faulthandler.enable()
        _lock.append(multiprocessing.Lock())
    weights = np.exp(x - x.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)
