"""The contents of inputs (docs/protocol.md): drawn with NumPy, as elements of any type."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .elements import FRACTION_BITS, LARGEST, STORED, store

NONFINITE = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}


def draw(fill: dict[str, Any], dtype: str, shape: tuple[int, ...], random: np.random.Generator) -> np.ndarray:
    """Elements as `STORED` has them. Only the fill `nonfinite` makes numbers that are not finite."""
    kind = fill["kind"]
    if kind == "integers":
        numbers = random.integers(fill["low"], fill["high"], shape, endpoint=True)
        if dtype not in FRACTION_BITS:
            limits = np.iinfo(STORED[dtype])
            return np.clip(numbers, limits.min, limits.max).astype(STORED[dtype])
        return store(dtype, _clamped(dtype, numbers.astype(np.float64)))
    if kind == "denormal" and dtype in FRACTION_BITS:
        return _denormal(dtype, shape, random)
    wide = np.float64 if dtype == "f64" or _beyond_f32(fill) else np.float32
    drawn = _numbers(fill, shape, random, wide)
    if dtype not in FRACTION_BITS:
        limits = np.iinfo(STORED[dtype])
        # The largest 64-bit integers round up to what no longer fits as a double.
        high = np.nextafter(np.float64(limits.max), 0) if dtype == "i64" else limits.max
        return np.clip(np.rint(np.nan_to_num(drawn.astype(np.float64))), limits.min, high).astype(STORED[dtype])
    drawn = _clamped(dtype, drawn)
    if kind == "nonfinite":
        chosen = random.random(shape) < fill["share"]
        values = np.array([NONFINITE[name] for name in fill["values"]])
        drawn = np.where(chosen, values[random.integers(0, len(values), shape)], drawn)
    return store(dtype, drawn)


def _numbers(fill: dict[str, Any], shape: tuple[int, ...], random: np.random.Generator, wide: Any) -> np.ndarray:
    kind = fill["kind"]
    per_row = (*shape[:-1], 1) if shape else ()
    with np.errstate(over="ignore", invalid="ignore"):
        if kind == "constant":
            return np.full(shape, fill["value"], wide)
        if kind == "uniform":
            return random.random(shape, wide) * wide(fill["high"] - fill["low"]) + wide(fill["low"])
        if kind == "constant-rows":
            return np.broadcast_to(random.standard_normal(per_row, wide) * wide(fill["std"]), shape)
        if kind == "spikes":
            columns = shape[-1] if shape else 1
            place = random.integers(0, columns, per_row)
            return np.where(np.arange(columns) == place, fill["high"], fill["low"]).astype(wide).reshape(shape)
        if kind == "denormal":
            return np.zeros(shape, wide)
        drawn = random.standard_normal(shape, wide)
        if kind == "mixed":
            scales = np.array([fill["scale"] / 1000, 1, fill["scale"]], wide)
            rows = np.arange(math.prod(per_row)).reshape(per_row)
            # In turn, so that three rows already have all three; where the turn starts is by lot.
            return drawn * scales[(rows + random.integers(0, 3)) % 3]
        if kind == "normal":
            return drawn * wide(fill["std"]) + wide(fill["mean"])
        return drawn


def _denormal(dtype: str, shape: tuple[int, ...], random: np.random.Generator) -> np.ndarray:
    """Exponent bits all zero, the fraction anything but zero, either sign."""
    bits = np.dtype(STORED[dtype]).itemsize * 8
    unsigned = np.dtype(f"u{bits // 8}")
    fraction = random.integers(1, 1 << FRACTION_BITS[dtype], shape, dtype=np.uint64)
    sign = random.integers(0, 2, shape, dtype=np.uint64) << np.uint64(bits - 1)
    return np.asarray(fraction | sign).astype(unsigned).view(STORED[dtype])


def _clamped(dtype: str, numbers: np.ndarray) -> np.ndarray:
    largest = min(LARGEST[dtype], np.finfo(numbers.dtype).max.item())
    return np.clip(numbers, numbers.dtype.type(-largest), numbers.dtype.type(largest))


def _beyond_f32(fill: dict[str, Any]) -> bool:
    """Whether products with a parameter could leave the range of f32 before they are clamped."""
    numbers = [abs(value) for value in fill.values() if isinstance(value, (int, float))]
    return any(0 < number < 1e-30 or number > 1e30 for number in numbers)
