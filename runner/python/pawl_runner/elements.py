"""Element types as bytes and as numbers. NumPy has no bf16: its elements are the upper halves of f32."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .parts import in_parts

#: What the bytes of an element are viewed as; bf16 as its bits.
STORED = {
    "f64": np.float64,
    "f32": np.float32,
    "f16": np.float16,
    "bf16": np.uint16,
    "i64": np.int64,
    "i32": np.int32,
    "i16": np.int16,
    "i8": np.int8,
    "u8": np.uint8,
}
#: Bits of the fraction, the largest finite number and the exponent of the smallest normal one.
FRACTION_BITS = {"f64": 52, "f32": 23, "f16": 10, "bf16": 7}
LARGEST = {
    "f64": np.finfo(np.float64).max.item(),
    "f32": np.finfo(np.float32).max.item(),
    "f16": 65504.0,
    "bf16": (2 - 2.0**-7) * 2.0**127,
}
LEAST_EXPONENT = {"f64": -1022, "f32": -126, "f16": -14, "bf16": -126}


def store(dtype: str, values: np.ndarray) -> np.ndarray:
    """Numbers as elements, rounded to nearest; numbers beyond the largest finite one become infinite."""
    if dtype != "bf16":
        with np.errstate(over="ignore", invalid="ignore"):
            return values.astype(STORED[dtype])
    with np.errstate(over="ignore"):
        wide = values.astype(np.float32)
    bits = wide.view(np.uint32)
    # Half to even: the bit that stays last decides on ties.
    rounded = (bits + np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1))) >> np.uint32(16)
    quiet = (bits >> np.uint32(16)) | np.uint32(0x40)
    return np.where(np.isnan(wide), quiet, rounded).astype(np.uint16)


def load(dtype: str, stored: np.ndarray) -> np.ndarray:
    """Elements as numbers in f64 or i64, which hold every one exactly. Always a copy."""
    if dtype == "bf16":
        return (stored.astype(np.uint32) << np.uint32(16)).view(np.float32).astype(np.float64)
    return np.array(stored, dtype=np.float64 if dtype in FRACTION_BITS else np.int64, order="C")


def from_bytes(dtype: str, raw: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    stored = raw.view(STORED[dtype]).reshape(-1)
    numbers = np.empty(stored.size, np.float64 if dtype in FRACTION_BITS else np.int64)
    in_parts(lambda part, into: np.copyto(into, load(dtype, part)), stored, numbers)
    return numbers.reshape(shape)


def rounded(dtype: str, exact: np.ndarray) -> np.ndarray:
    """What is left of exact numbers in an element type."""
    return load(dtype, store(dtype, exact)) if dtype in FRACTION_BITS else exact


def unit_in_last_place(dtype: str, at: float) -> float:
    """The distance of neighbouring numbers of a floating type around a magnitude."""
    exponent = math.frexp(at)[1] - 1 if at > 0 else LEAST_EXPONENT[dtype]
    return 2.0 ** (max(exponent, LEAST_EXPONENT[dtype]) - FRACTION_BITS[dtype])


def json_number(value: Any) -> float | int | str:
    """JSON has neither NaN nor infinities."""
    number = value if isinstance(value, int) else float(value)
    if math.isfinite(number):
        return number
    return "nan" if math.isnan(number) else "inf" if number > 0 else "-inf"
