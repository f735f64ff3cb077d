"""The judge's memory as NumPy arrays."""

from __future__ import annotations

import ctypes
from contextlib import nullcontext
from typing import Any, ContextManager

import numpy as np

from .failure import Failure
from .tensors import FLOATS_IN_BYTES, TensorSpec

DTYPES = {
    "f64": np.float64,
    "f32": np.float32,
    "f16": np.float16,
    "i64": np.int64,
    "i32": np.int32,
    "i16": np.int16,
    "i8": np.int8,
    "u8": np.uint8,
    "u16": np.uint16,
    "u32": np.uint32,
    "u64": np.uint64,
    "bool": np.bool_,
    "c64": np.complex64,
    "c128": np.complex128,
}
NAMES = {np.dtype(dtype): name for name, dtype in DTYPES.items()}
#: Types of single numbers.
NUMBERS = frozenset(np.sctypeDict.values())

#: What the judge fills outputs with before a call: a NaN in every floating type.
POISON = 0xFF
#: Above this the C library gives memory back to the system, and new memory holds zeros (mallopt(3), M_MMAP_THRESHOLD).
LARGEST_KEPT_BYTES = 32 << 20


def memory_at(address: int, nbytes: int) -> np.ndarray:
    """Bytes that are somebody else's: nothing is copied, and nothing is freed."""
    return np.ctypeslib.as_array((ctypes.c_uint8 * nbytes).from_address(address))


class NumpyArrays:
    framework = "numpy"
    wanted = "a NumPy array"

    def wrap(self, spec: TensorSpec, address: int) -> np.ndarray:
        if self.known_as(spec.dtype) not in DTYPES:
            raise Failure(
                "unsupported",
                f'{spec.name} is {spec.dtype}, which NumPy does not have; `framework = "torch"` in the module asks for PyTorch tensors',
            )
        stored = memory_at(address, spec.nbytes).view(DTYPES[self.known_as(spec.dtype)])
        if spec.strides is None:
            return stored.reshape(spec.shape)
        strides = [stride * stored.itemsize for stride in spec.strides]
        return np.lib.stride_tricks.as_strided(stored[spec.offset :], spec.shape, strides)

    def made_by_default(self) -> ContextManager[Any]:
        return nullcontext()

    def known_as(self, dtype: str) -> str:
        """What `describe` calls an array of this type."""
        return "u8" if dtype in FLOATS_IN_BYTES else dtype

    def adopt(self, value: Any, spec: TensorSpec) -> np.ndarray:
        """An array of the declared type, of what a generator made."""
        return np.asarray(value).astype(DTYPES[self.known_as(spec.dtype)])

    def describe(self, value: Any) -> tuple[tuple[int, ...], str] | None:
        """Shape and dtype, or None for what is not an array. Subclasses are not: they may compute later."""
        if type(value) is not np.ndarray and type(value) not in NUMBERS:
            return None
        return value.shape, NAMES.get(value.dtype, str(value.dtype))

    def overlap(self, one: Any, other: Any) -> bool:
        return isinstance(one, np.ndarray) and np.may_share_memory(one, other)

    def copy(self, value: Any, into: Any) -> None:
        into[...] = value

    def soil_free_memory(self, spec: TensorSpec) -> None:
        """The allocator hands out next what was freed last."""
        if spec.nbytes <= LARGEST_KEPT_BYTES:
            np.empty(spec.nbytes, np.uint8).fill(POISON)

    def device_bytes(self) -> int:
        """What is allocated on a device."""
        return 0

    def give_back_memory(self) -> None:
        """Nothing is held back."""

    def synchronize(self) -> None:
        """Host code is done when it returns."""

    def classify(self, error: BaseException) -> Failure | None:
        return None

    def versions(self) -> dict[str, str]:
        return {"numpy": np.__version__}
