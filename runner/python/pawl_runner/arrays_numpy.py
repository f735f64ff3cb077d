"""Tensors in host memory as NumPy arrays, each between two canaries."""

from __future__ import annotations

from typing import Any

import numpy as np

from .failure import Failure
from .problem import TensorSpec

GUARD_BYTES = 256
CANARY = 0xC5
DTYPES = {
    "f64": np.float64,
    "f32": np.float32,
    "f16": np.float16,
    "i64": np.int64,
    "i32": np.int32,
    "i16": np.int16,
    "i8": np.int8,
    "u8": np.uint8,
}
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
        self._guarded.fill(CANARY)
        self.view = self._bytes.view(DTYPES[spec.dtype]).reshape(spec.shape)
        self._pristine: Any = None

    def fill(self, seed: int, set_index: int) -> None:
        """Contents that depend on the seed, the set and the tensor, and on nothing else."""
        self.view[...] = _draw(self.spec, np.random.default_rng([seed, set_index, self._index]))
        self._pristine = self._bytes.copy()

    def restore(self) -> None:
        self._bytes[:] = self._pristine

    def poison(self) -> None:
        self._bytes.fill(0xFF)

    def changed(self) -> bool:
        return not np.array_equal(self._bytes, self._pristine)

    def overrun(self) -> bool:
        """Whether a canary was overwritten since it was last asked."""
        ends = (self._guarded[:GUARD_BYTES], self._guarded[-GUARD_BYTES:])
        found = any((end != CANARY).any() for end in ends)
        for end in ends if found else ():
            end.fill(CANARY)
        return found


class NumpyArrays:
    framework = "numpy"

    def allocate(self, spec: TensorSpec, index: int) -> NumpyTensor:
        return NumpyTensor(spec, index)

    def describe(self, value: Any) -> tuple[tuple[int, ...], str] | None:
        """Shape and dtype, or None for what is no array. Subclasses are not arrays: they may compute later."""
        if type(value) is not np.ndarray and not isinstance(value, np.generic):
            return None
        return value.shape, NAMES.get(value.dtype, str(value.dtype))

    def overlap(self, one: Any, other: Any) -> bool:
        return isinstance(one, np.ndarray) and np.may_share_memory(one, other)

    def poison(self, value: Any) -> None:
        if isinstance(value, np.ndarray) and value.flags.c_contiguous and value.flags.writeable:
            value.reshape(-1).view(np.uint8).fill(0xFF)

    def unwritten(self, value: Any) -> int:
        pattern = np.ascontiguousarray(value).reshape(-1).view(f"u{value.dtype.itemsize}")
        return int(np.count_nonzero(pattern == np.iinfo(pattern.dtype).max))

    def copy(self, value: Any) -> Any:
        return np.array(value, order="C")

    def same_bits(self, one: Any, other: Any) -> bool:
        return one.tobytes() == np.ascontiguousarray(other).tobytes()

    def to_exact(self, value: Any) -> np.ndarray:
        """A copy in f64 or i64, which hold every element type exactly: what an oracle and a comparison work on."""
        exact = np.float64 if np.issubdtype(value.dtype, np.floating) else np.int64
        return np.array(value, dtype=exact, order="C")

    def for_oracle(self, exact: np.ndarray) -> Any:
        return exact

    def from_oracle(self, value: Any) -> np.ndarray:
        return np.asarray(value)

    def synchronize(self) -> None:
        """Host code is done when it returns."""


def _draw(spec: TensorSpec, random: np.random.Generator) -> Any:
    fill = spec.fill
    kind = fill["kind"]
    if kind == "constant":
        return np.asarray(fill["value"]).astype(DTYPES[spec.dtype])
    if kind == "integers":
        return random.integers(fill["low"], fill["high"], spec.shape, endpoint=True).astype(DTYPES[spec.dtype])
    wide = np.float64 if spec.dtype == "f64" else np.float32
    if kind == "normal":
        drawn = random.standard_normal(spec.shape, wide) * wide(fill["std"]) + wide(fill["mean"])
    else:
        drawn = random.random(spec.shape, wide) * wide(fill["high"] - fill["low"]) + wide(fill["low"])
    if spec.floating:
        return drawn.astype(DTYPES[spec.dtype])
    limits = np.iinfo(DTYPES[spec.dtype])
    return np.clip(np.rint(drawn), limits.min, limits.max).astype(DTYPES[spec.dtype])
