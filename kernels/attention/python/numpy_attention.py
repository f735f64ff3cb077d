"""Attention in plain NumPy: a Python kernel to read first, and a right answer to compare with."""

import numpy as np


def attention(q, k, v, *, CAUSAL=0):
    """softmax(q kᵀ / √D) v over [B, H, S, D]. In f64 it computes in f64, so it is its own oracle, too."""
    wide = np.promote_types(q.dtype, np.float32)
    scores = q.astype(wide) @ k.astype(wide).swapaxes(-1, -2) / np.sqrt(wide.type(q.shape[-1]))
    if CAUSAL:
        allowed = np.tri(*scores.shape[-2:], dtype=bool)
        scores = np.where(allowed, scores, -np.inf)
    # The largest score is subtracted so that no exponential overflows.
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return (weights @ v.astype(wide)).astype(q.dtype)
