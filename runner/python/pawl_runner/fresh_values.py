"""A few new elements for a tensor, so that no two repetitions have the same contents."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .fills import draw
from .problem import TensorSpec

#: Elements that change: enough that a hash of a sample of the contents sees one, too few to cost time.
ELEMENTS = 16
#: The values that new elements are taken from, as rows so that fills by rows show all they have.
POOL_SHAPE = (256, 4)


@dataclass(frozen=True)
class Patch:
    """Elements at distinct positions, as signed integers of the same size."""

    positions: np.ndarray
    values: np.ndarray


class FreshValues:
    """Draws from the tensor's own fill: an index stays an index, a probability a probability."""

    def __init__(self, spec: TensorSpec, elements: int) -> None:
        self._spec = spec
        self._elements = elements
        self._pool: np.ndarray | None = None

    def draw(self, random: np.random.Generator) -> Patch:
        if self._pool is None:
            stored = draw(self._spec.fill, self._spec.dtype, POOL_SHAPE, random).reshape(-1)
            self._pool = stored.view(f"i{stored.dtype.itemsize}")
        if self._elements <= ELEMENTS:
            positions = np.arange(self._elements)
        else:
            positions = np.unique(random.integers(0, self._elements, ELEMENTS))
        return Patch(positions, self._pool[random.integers(0, self._pool.size, positions.size)])
