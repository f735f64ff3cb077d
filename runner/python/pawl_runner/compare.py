"""How an output compares with the oracle's."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from .elements import LARGEST, json_number, rounded, unit_in_last_place
from .parts import PART, in_parts
from .problem import TensorSpec

MOST_NEIGHBOURS = 8
#: Part of the largest number of a type from which on an infinity may be a rounding.
NEAR_THE_END = 15 / 16


@dataclass
class Errors:
    """How far each element is from what is right, and how far it may be."""

    error: np.ndarray
    magnitude: np.ndarray

    @cached_property
    def largest(self) -> float:
        return float(max(in_parts(lambda error: error.max(initial=0), self.error)))

    @cached_property
    def rms(self) -> float:
        return _rms(self.error, self.largest)


def errors(dtype: str, got: np.ndarray, want: np.ndarray) -> Errors:
    """
    NaN and infinities must stand in the same places: one that does not is worse than any distance. But the oracle's
    type reaches further than the tensor's: near the end of its range an infinity is a number that was rounded up,
    and as far off as the least number that is.
    """
    # A 64-bit integer does not fit a double; the x87 and quad formats hold it.
    wide = np.longdouble if np.issubdtype(got.dtype, np.integer) else np.float64
    error, magnitude = np.empty(got.size, wide), np.empty(got.size, wide)

    def fill(got: np.ndarray, want: np.ndarray, error: np.ndarray, magnitude: np.ndarray) -> None:
        error[:], magnitude[:] = _distances(dtype, got.astype(wide), want.astype(wide))

    in_parts(fill, got.reshape(-1), want.reshape(-1), error, magnitude)
    return Errors(error, magnitude)


def _distances(dtype: str, got: np.ndarray, want: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
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
    return error, magnitude


def compare(
    spec: TensorSpec, got: np.ndarray, want: np.ndarray, atol: float, rtol: float, allowed: float = 0
) -> dict[str, Any]:
    """An element passes when |got - want| <= max(atol + rtol * |want|, allowed)."""
    found = errors(spec.dtype, got, want)
    parts = in_parts(
        lambda error, magnitude, got, want: _part(spec, error, magnitude, got, want, atol, rtol, allowed),
        found.error,
        found.magnitude,
        got.reshape(-1),
        want.reshape(-1),
    )
    result: dict[str, Any] = {
        "name": spec.name,
        "elements": int(found.error.size),
        "mismatches": sum(part.mismatches for part in parts),
        "max_abs_err": finite_or_none(found.largest),
        "max_rel_err": finite_or_none(max(part.max_rel_err for part in parts)),
        "rms_err": finite_or_none(found.rms),
        "spread": _spread(parts),
    }
    if found.largest > 0:
        # What is out of tolerance comes before what is only far off.
        index, part = max(enumerate(parts), key=lambda one: (one[1].mismatches > 0, one[1].worst_error, -one[0]))
        place = [int(one) for one in np.unravel_index(index * PART + part.worst, spec.shape)] if spec.shape else []
        result["worst"] = {**_pair(place, got, want), "neighbours": _neighbours(spec, place, got, want)}
    return result


@dataclass(frozen=True)
class _Part:
    mismatches: int
    max_rel_err: float
    #: Which element is furthest off, of those out of tolerance where there are any.
    worst: int
    worst_error: Any
    exact: int
    #: How many errors there are in which decade.
    decades: dict[int, int]
    nonfinite: int


def _part(
    spec: TensorSpec,
    error: np.ndarray,
    magnitude: np.ndarray,
    got: np.ndarray,
    want: np.ndarray,
    atol: float,
    rtol: float,
    allowed: float,
) -> _Part:
    # Written so that a NaN on either side of <= is a mismatch.
    wrong = ~((error <= atol + rtol * magnitude) | (error <= allowed))
    mismatches = int(np.count_nonzero(wrong))
    with np.errstate(over="ignore"):
        relative = error[magnitude > 0] / magnitude[magnitude > 0]
    worst = int(np.argmax(np.where(wrong, error, -1) if mismatches > 0 else error)) if error.size > 0 else 0
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
    return _Part(
        mismatches,
        float(relative.max(initial=0)),
        worst,
        error[worst] if error.size > 0 else 0,
        int(np.count_nonzero(exact)),
        counts,
        int(rest.size - finite.size),
    )


def describe(compared: dict[str, Any], oracle: str) -> str:
    """A comparison with mismatches in a sentence."""
    worst = compared["worst"]
    return (
        f"{compared['mismatches']} of {compared['elements']} elements of '{compared['name']}' differ from {oracle}; "
        f"worst at {worst['index']}: {_text(worst['got'])} where {_text(worst['want'])} is right"
    )


def finite_rms(numbers: np.ndarray) -> tuple[int, float]:
    """How many numbers are finite, and their root mean square."""
    numbers = np.concatenate(in_parts(lambda part: part[np.isfinite(part)], numbers.reshape(-1)))
    return numbers.size, _rms(numbers, float(max(in_parts(lambda part: np.abs(part).max(initial=0), numbers))))


def _rms(numbers: np.ndarray, largest: float) -> float:
    """The root mean square, scaled so that no square overflows or vanishes."""
    if largest == 0 or not math.isfinite(largest):
        return largest
    squares = in_parts(lambda part: float(np.sum(np.square(part / largest))), numbers)
    return largest * math.sqrt(math.fsum(squares) / numbers.size)


def finite_or_none(value: Any) -> float | None:
    number = float(value)
    return number if math.isfinite(number) else None


def _spread(parts: list[_Part]) -> dict[str, Any]:
    counts: Counter[int] = Counter()
    for part in parts:
        counts.update(part.decades)
    return {
        "exact": sum(part.exact for part in parts),
        "decades": [{"exponent": exponent, "count": count} for exponent, count in sorted(counts.items())],
        "nonfinite": sum(part.nonfinite for part in parts),
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
