"""How an output compares with the oracle's."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from .elements import LARGEST, json_number, rounded, unit_in_last_place
from .problem import TensorSpec

MOST_NEIGHBOURS = 8
#: Part of the largest number of a type from which on an infinity may be a rounding.
NEAR_THE_END = 15 / 16


@dataclass(frozen=True)
class Errors:
    """How far each element is from what is right, and how far it may be."""

    error: np.ndarray
    magnitude: np.ndarray

    @property
    def largest(self) -> float:
        return float(self.error.max(initial=0))

    @property
    def rms(self) -> float:
        """The root mean square, scaled so that no square overflows or vanishes."""
        largest = self.largest
        if largest == 0 or not math.isfinite(largest):
            return largest
        return largest * math.sqrt(float(np.mean(np.square(self.error / largest))))


def errors(dtype: str, got: np.ndarray, want: np.ndarray) -> Errors:
    """
    NaN and infinities must stand in the same places: one that does not is worse than any distance. But the oracle's
    type reaches further than the tensor's: near the end of its range an infinity is a number that was rounded up,
    and as far off as the least number that is.
    """
    # A 64-bit integer does not fit a double; the x87 and quad formats hold it.
    wide = np.longdouble if np.issubdtype(got.dtype, np.integer) else np.float64
    got, want = got.astype(wide).reshape(-1), want.astype(wide).reshape(-1)
    with np.errstate(invalid="ignore", over="ignore"):
        error = np.abs(got - want)
        magnitude = np.abs(want)
    if not (np.isfinite(error).all() and np.isfinite(magnitude).all()):
        same = (got == want) | (np.isnan(got) & np.isnan(want))
        finite = np.isfinite(got) & np.isfinite(want)
        error = np.where(same, 0, np.where(finite, error, np.inf))
        magnitude = np.where(np.isfinite(want), magnitude, 0)
        if dtype in LARGEST:
            largest = LARGEST[dtype]
            rounds_up = largest + unit_in_last_place(dtype, largest) / 2
            overflowed = np.isinf(got) & (magnitude >= largest * NEAR_THE_END) & (np.sign(got) == np.sign(want))
            error = np.where(overflowed & ~same, np.maximum(0, rounds_up - magnitude), error)
    return Errors(error, magnitude)


def compare(
    spec: TensorSpec, got: np.ndarray, want: np.ndarray, atol: float, rtol: float, allowed: float = 0
) -> dict[str, Any]:
    """An element passes when |got - want| <= max(atol + rtol * |want|, allowed)."""
    found = errors(spec.dtype, got, want)
    error, magnitude = found.error, found.magnitude
    # Written so that a NaN on either side of <= is a mismatch.
    wrong = ~((error <= atol + rtol * magnitude) | (error <= allowed))
    with np.errstate(over="ignore"):
        relative = error[magnitude > 0] / magnitude[magnitude > 0]
    result: dict[str, Any] = {
        "name": spec.name,
        "elements": int(error.size),
        "mismatches": int(np.count_nonzero(wrong)),
        "max_abs_err": finite_or_none(found.largest),
        "max_rel_err": finite_or_none(relative.max(initial=0)),
        "rms_err": finite_or_none(found.rms),
        "spread": _spread(spec, error, got.reshape(-1), want.reshape(-1)),
    }
    if found.largest > 0:
        # What is out of tolerance comes before what is only far off.
        at = int(np.argmax(np.where(wrong, error, -1) if wrong.any() else error))
        place = [int(index) for index in np.unravel_index(at, spec.shape)] if spec.shape else []
        result["worst"] = {**_pair(place, got, want), "neighbours": _neighbours(spec, place, got, want)}
    return result


def describe(compared: dict[str, Any], oracle: str) -> str:
    """A comparison with mismatches in a sentence."""
    worst = compared["worst"]
    return (
        f"{compared['mismatches']} of {compared['elements']} elements of '{compared['name']}' differ from {oracle}; "
        f"worst at {worst['index']}: {_text(worst['got'])} where {_text(worst['want'])} is right"
    )


def finite_or_none(value: Any) -> float | None:
    number = float(value)
    return number if math.isfinite(number) else None


def _spread(spec: TensorSpec, error: np.ndarray, got: np.ndarray, want: np.ndarray) -> dict[str, Any]:
    exact = error == 0
    if spec.floating and not exact.all():
        # An oracle's number that the type cannot hold is met exactly by the nearest one that it can.
        exact |= got == rounded(spec.dtype, want.astype(np.float64))
    rest = error[~exact]
    finite = rest[np.isfinite(rest)].astype(np.float64)
    counts: dict[int, int] = {}
    if finite.size > 0:
        exponent = np.floor(np.log10(finite))
        # The logarithm rounds: a power of ten belongs to the decade it begins.
        exponent -= np.power(10.0, exponent) > finite
        exponent += np.power(10.0, exponent + 1) <= finite
        counts = dict(zip(*(side.tolist() for side in np.unique(exponent.astype(int), return_counts=True))))
    return {
        "exact": int(np.count_nonzero(exact)),
        "decades": [{"exponent": exponent, "count": count} for exponent, count in sorted(counts.items())],
        "nonfinite": int(rest.size - finite.size),
    }


def _neighbours(spec: TensorSpec, place: list[int], got: np.ndarray, want: np.ndarray) -> list[dict[str, Any]]:
    rank = len(spec.shape)
    steps = [(rank - 1, step) for step in (-1, 1, -2, 2)] if rank > 0 else []
    steps += [(axis, step) for axis in reversed(range(rank - 1)) for step in (-1, 1)]
    beside = []
    for axis, step in steps:
        index = place.copy()
        index[axis] += step
        if 0 <= index[axis] < spec.shape[axis]:
            beside.append(_pair(index, got, want))
    return beside[:MOST_NEIGHBOURS]


def _pair(place: list[int], got: np.ndarray, want: np.ndarray) -> dict[str, Any]:
    at = tuple(place)
    return {"index": place, "got": json_number(got[at].item()), "want": json_number(want[at].item())}


def _text(number: Any) -> str:
    return f"{number:.9g}" if isinstance(number, float) else str(number)
