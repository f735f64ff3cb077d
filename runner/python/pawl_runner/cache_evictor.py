"""Empties the caches of the pinned CPUs before a cold sample."""

from __future__ import annotations

import os
from typing import Any

from . import host

MEGABYTE = 1 << 20
LEAST_BYTES = 8 * MEGABYTE
MOST_BYTES = 256 * MEGABYTE


class CacheEvictor:
    """Reads and writes twice the L2 and the share of the L3 of every pinned CPU, as the native runner does."""

    def __init__(self, cpus: list[int]) -> None:
        self._cpus = cpus
        caches = host.cache_sizes(cpus[0])
        share = caches.get("l2", 0) + caches.get("l3", 0) // host.cores_sharing_l3(cpus[0])
        wanted = max(LEAST_BYTES, 2 * share * len(cpus))
        self.nbytes = min(wanted, MOST_BYTES)
        self.notes = []
        if self.nbytes < wanted:
            self.notes.append(
                f"cold samples follow an eviction of {self.nbytes // MEGABYTE} MB, "
                f"where {wanted // MEGABYTE} MB would cover the caches of the pinned CPUs"
            )
        self._slices: list[Any] = []

    def evict(self) -> None:
        if not self._slices:
            import numpy

            self._slices = numpy.array_split(numpy.ones(self.nbytes // 8), len(self._cpus))
        for cpu, piece in zip(self._cpus, self._slices):
            # Private caches are emptied only by the CPU that owns them.
            if len(self._cpus) > 1:
                os.sched_setaffinity(0, [cpu])
            piece += 1.0
        if len(self._cpus) > 1:
            os.sched_setaffinity(0, self._cpus)
