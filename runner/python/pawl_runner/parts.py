"""Long arrays in parts, several at a time: NumPy lets go of the interpreter while it computes."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable

import numpy as np

#: Elements of a part: what is computed from it on the way stays in a core's cache.
PART = 1 << 17


def in_parts(function: Callable[..., Any], *arrays: np.ndarray) -> list[Any]:
    """
    What the function makes of each part of flat arrays of one length, in their order. The threads are gone when it
    returns: a kernel that is called next is alone in its process.
    """
    count = max(1, -(-arrays[0].size // PART))
    parts = [tuple(array[i * PART : (i + 1) * PART] for array in arrays) for i in range(count)]
    workers = min(count, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)
    if workers == 1:
        return [function(*part) for part in parts]
    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(lambda part: function(*part), parts))
