"""Tensors in host memory as NumPy arrays, each between two canaries."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from . import elements
from .failure import Failure
from .fills import draw
from .fresh_values import FreshValues, Patch
from .problem import CANARY, GUARD_BYTES, POISON, TensorSpec

DTYPES = {name: dtype for name, dtype in elements.STORED.items() if name != "bf16"}
NAMES = {np.dtype(dtype): name for name, dtype in DTYPES.items()}


class NumpyTensor:
    def __init__(self, spec: TensorSpec, index: int) -> None:
        if spec.dtype not in DTYPES:
            raise Failure(
                "unsupported",
                f'{spec.name} is {spec.dtype}, which NumPy does not have; `framework = "torch"` in the module asks for PyTorch tensors',
            )
        self.spec = spec
        self._index = index
        # NumPy aligns to 16 bytes; kernels are promised 256 (pawl_kernel.h).
        memory = np.empty(spec.nbytes + 3 * GUARD_BYTES, np.uint8)
        start = -memory.ctypes.data % GUARD_BYTES
        self._guarded = memory[start : start + spec.nbytes + 2 * GUARD_BYTES]
        self._bytes = self._guarded[GUARD_BYTES:-GUARD_BYTES]
        self._canary = CANARY
        self._guarded.fill(CANARY)
        self.view = self._bytes.view(DTYPES[spec.dtype]).reshape(spec.shape)
        self._integers = self._bytes.view(f"i{self.view.dtype.itemsize}")
        self._pristine: Any = None
        self._fresh = FreshValues(spec, math.prod(spec.shape))
        self._replaced: Patch | None = None

    def fill(self, seed: int, set_index: int) -> None:
        """Contents that depend on the seed, the set and the tensor, and on nothing else."""
        random = np.random.default_rng([seed, set_index, self._index])
        self.view[...] = draw(self.spec.fill, self.spec.dtype, self.spec.shape, random)
        self._pristine = self._bytes.copy()
        self._replaced = None

    def restore(self) -> None:
        self._bytes[:] = self._pristine
        self._replaced = None

    def freshen(self, random: np.random.Generator) -> Patch:
        """Gives a few elements new values, after those that were changed last have their first ones again."""
        patch = self._fresh.draw(random)
        self.apply(patch)
        return patch

    def apply(self, patch: Patch) -> None:
        self.settle()
        self._replaced = Patch(patch.positions, self._integers[patch.positions])
        self._integers[patch.positions] = patch.values

    def settle(self) -> None:
        """Puts the first values back where `freshen` changed them."""
        if self._replaced is not None:
            self._integers[self._replaced.positions] = self._replaced.values
            self._replaced = None

    def poison(self, byte: int = POISON) -> None:
        self._bytes.fill(byte)

    def changed(self) -> bool:
        return not np.array_equal(self._bytes, self._pristine)

    def guard_with(self, byte: int) -> None:
        """Other bytes beside the tensor: a result that depends on them was read there."""
        self._canary = byte
        for end in self._ends():
            end.fill(byte)

    def overrun(self) -> bool:
        """Whether a canary was overwritten since it was last asked."""
        found = any((end != self._canary).any() for end in self._ends())
        if found:
            self.guard_with(self._canary)
        return found

    def _ends(self) -> tuple[Any, Any]:
        return self._guarded[:GUARD_BYTES], self._guarded[-GUARD_BYTES:]


class NumpyArrays:
    framework = "numpy"
    device_type = "cpu"

    def allocate(self, spec: TensorSpec, index: int) -> NumpyTensor:
        return NumpyTensor(spec, index)

    def describe(self, value: Any) -> tuple[tuple[int, ...], str] | None:
        """Shape and dtype, or None for what is no array. Subclasses are not arrays: they may compute later."""
        if type(value) is not np.ndarray and not isinstance(value, np.generic):
            return None
        name = NAMES.get(value.dtype)
        return value.shape, str(value.dtype) if name is None else name

    def overlap(self, one: Any, other: Any) -> bool:
        return isinstance(one, np.ndarray) and np.may_share_memory(one, other)

    def poison(self, value: Any, byte: int = POISON) -> None:
        if isinstance(value, np.ndarray) and value.flags.c_contiguous and value.flags.writeable:
            value.reshape(-1).view(np.uint8).fill(byte)

    def holds(self, value: Any, byte: int) -> Any:
        """Where elements consist of this byte: one truth value an element."""
        pattern = np.ascontiguousarray(value).reshape(-1).view(f"u{value.dtype.itemsize}")
        return pattern == np.full(value.dtype.itemsize, byte, np.uint8).view(pattern.dtype)[0]

    def count(self, truths: Any) -> int:
        return int(np.count_nonzero(truths))

    def empty(self, spec: TensorSpec) -> Any:
        return np.empty(spec.shape, DTYPES[spec.dtype])

    def copy(self, value: Any, into: Any = None) -> Any:
        if into is None:
            return np.array(value, order="C")
        into[...] = value
        return into

    def same_bits(self, one: Any, other: Any) -> bool:
        return np.ascontiguousarray(one).tobytes() == np.ascontiguousarray(other).tobytes()

    def to_bytes(self, value: Any) -> np.ndarray:
        """A copy of the bytes in host memory."""
        return np.array(value, order="C").reshape(-1).view(np.uint8)

    def from_bytes(self, spec: TensorSpec, raw: np.ndarray) -> Any:
        """A tensor of the runner's own, outside of all buffer sets."""
        return raw.copy().view(DTYPES[spec.dtype]).reshape(spec.shape)

    def for_oracle(self, exact: np.ndarray) -> Any:
        return exact

    def from_oracle(self, value: Any) -> np.ndarray:
        return np.asarray(value)

    def synchronize(self) -> None:
        """Host code is done when it returns."""
