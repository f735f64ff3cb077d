"""How an output compares with the oracle's."""

from __future__ import annotations

import math
from typing import Any

import numpy as np


def compare(
    name: str, shape: tuple[int, ...], got: np.ndarray, want: np.ndarray, atol: float, rtol: float
) -> dict[str, Any]:
    """An element passes when |got - want| <= atol + rtol * |want|; NaN and infinities must stand in the same places."""
    # A 64-bit integer does not fit a double; the x87 and quad formats hold it.
    wide = np.longdouble if np.issubdtype(got.dtype, np.integer) else np.float64
    got, want = got.astype(wide).reshape(-1), want.astype(wide).reshape(-1)
    same = (got == want) | (np.isnan(got) & np.isnan(want))
    finite = np.isfinite(got) & np.isfinite(want)
    with np.errstate(invalid="ignore", over="ignore"):
        # A misplaced NaN or infinity is worse than any distance.
        error = np.where(same, 0, np.where(finite, np.abs(got - want), np.inf))
        magnitude = np.where(np.isfinite(want), np.abs(want), 0)
        wrong = ~(error <= atol + rtol * magnitude)
        relative = error[magnitude > 0] / magnitude[magnitude > 0]
    result: dict[str, Any] = {
        "name": name,
        "elements": int(got.size),
        "mismatches": int(np.count_nonzero(wrong)),
        "max_abs_err": _number(error.max(initial=0)),
        "max_rel_err": _number(relative.max(initial=0)),
    }
    if result["mismatches"] > 0:
        at = int(np.argmax(np.where(wrong, error, -1)))
        index = [int(place) for place in np.unravel_index(at, shape)] if shape else []
        result["worst"] = {"index": index, "got": _number(got[at]), "want": _number(want[at])}
    return result


def _number(value: Any) -> float | None:
    """JSON has neither NaN nor infinities."""
    number = float(value)
    return number if math.isfinite(number) else None
