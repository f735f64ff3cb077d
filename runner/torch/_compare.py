"""Whether an output is right, by the rules of docs/correctness.md: tolerance, calibrated rule, share."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Dict, Optional

import torch

#: Bits after the leading one, and bytes.
PRECISION = {"f64": (52, 8), "f32": (23, 4), "f16": (10, 2), "bf16": (7, 2), "f8e4m3": (3, 1), "f8e5m2": (2, 1)}
#: Fewer errors than this say little about a precision.
LEAST_ERRORS = 32
#: Room for sums whose terms cancel, in units of the last place, of types wider than 16 bits.
SUM_UNITS = 256


@dataclass(frozen=True)
class Compared:
    ok: bool
    #: The largest error, as a share of what it may be.
    worst_share: float
    max_abs_err: float
    reason: Optional[str] = None


def errors_of(got: torch.Tensor, want: torch.Tensor) -> torch.Tensor:
    """NaN and infinities must stand in the same places."""
    if not (got.dtype.is_floating_point or got.dtype.is_complex):
        return (got.to(torch.int64) - want.to(torch.int64)).abs().to(torch.float64)
    wide = torch.complex128 if got.dtype.is_complex else torch.float64
    found, right = got.to(wide), want.to(wide)
    error = (found - right).abs()
    same = (found == right) | (torch.isnan(found) & torch.isnan(right))
    error = torch.where(same, torch.zeros_like(error), error)
    return torch.where(torch.isnan(error), torch.full_like(error, math.inf), error)


def compare(
    got: torch.Tensor, want: torch.Tensor, dtype: str, rule: Dict[str, Any], reference: Optional[torch.Tensor]
) -> Compared:
    want = want.to(got.device)
    error = errors_of(got, want)
    size = want.abs().to(torch.float64)
    size = torch.where(torch.isfinite(size), size, torch.zeros_like(size))
    allowed = rule["atol"] + rule["rtol"] * size
    known = reference is not None and rule.get("factor") is not None
    reference_error = errors_of(reference.to(got.device), want) if known else None
    if reference_error is not None and bool(torch.isfinite(reference_error).all()):
        allowed = torch.clamp(allowed, min=rule["factor"] * float(reference_error.max()))
    wrong = ~(error <= allowed)
    count = int(wrong.sum())
    share = torch.where(error == 0, torch.zeros_like(error), error / allowed)
    worst, largest = float(share.max()), float(error.max())
    spared = (1 - rule.get("share", 1)) * error.numel() * (1 + 1e-9)
    if count > spared or not bool(torch.isfinite(error[wrong]).all()):
        at = [int(one) for one in wrong.nonzero()[0]]
        there = f"{got[tuple(at)].item()} where {want[tuple(at)].item()} is right"
        return Compared(False, worst, largest, f"{count} of {error.numel()} elements differ, the first at {at}: {there}")
    if reference_error is not None and is_less_precise(error, want, dtype, rule["factor"], reference_error):
        return Compared(False, worst, largest, "its error as a whole is that of a lower precision")
    return Compared(True, worst, largest)


def is_less_precise(
    error: torch.Tensor, want: torch.Tensor, dtype: str, factor: float, reference_error: torch.Tensor
) -> bool:
    if dtype not in PRECISION or error.numel() < LEAST_ERRORS:
        return False
    rms = math.sqrt(float((error**2).mean()))
    expected = math.sqrt(float((reference_error**2).mean()))
    if not (math.isfinite(rms) and math.isfinite(expected)):
        return False
    bits, size = PRECISION[dtype]
    numbers = want[torch.isfinite(want)].to(torch.float64)
    level = math.sqrt(float((numbers**2).mean())) if numbers.numel() > 0 else 0.0
    unit = 2.0 ** (math.floor(math.log2(level)) - bits) if level > 0 else 0.0
    # Rounding once to the nearest makes errors that are uniform over one unit.
    expected = max(expected, unit / math.sqrt(12))
    return rms > factor * expected + (SUM_UNITS * unit if size > 2 else unit / 2)
