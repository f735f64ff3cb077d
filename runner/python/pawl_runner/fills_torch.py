"""The contents of inputs (docs/protocol.md), drawn by PyTorch on the tensor's own device."""

from __future__ import annotations

import math
from typing import Any

import torch

from .elements import FRACTION_BITS, LARGEST
from .fills import NONFINITE
from .problem import TensorSpec

SAME_SIZE_INTEGERS = {8: torch.int64, 4: torch.int32, 2: torch.int16, 1: torch.int8}


def draw_into(target: Any, spec: TensorSpec, seed: int) -> None:
    """Only the fill `nonfinite` makes numbers that are not finite."""
    random = torch.Generator(device=target.device)
    random.manual_seed(seed)
    fill = spec.fill
    kind = fill["kind"]
    if kind == "integers":
        drawn = torch.empty(spec.shape, dtype=torch.int64, device=target.device)
        drawn.random_(fill["low"], fill["high"] + 1, generator=random)
        if spec.floating:
            target.copy_(drawn.double().clamp_(-LARGEST[spec.dtype], LARGEST[spec.dtype]))
        else:
            limits = torch.iinfo(target.dtype)
            target.copy_(drawn.clamp_(limits.min, limits.max))
    elif kind == "denormal":
        _denormal(target, spec, random) if spec.floating else target.zero_()
    elif spec.floating:
        # Drawn wider than 16 bits, which would overflow before the clamp.
        wide = target if spec.dtype in ("f64", "f32") else torch.empty(spec.shape, device=target.device)
        _numbers(wide, fill, random)
        largest = min(LARGEST[spec.dtype], torch.finfo(wide.dtype).max)
        wide.nan_to_num_(nan=0.0, posinf=largest, neginf=-largest).clamp_(-largest, largest)
        if kind == "nonfinite":
            _put_nonfinite(wide, fill, random)
        if wide is not target:
            target.copy_(wide)
    else:
        wide = torch.empty(spec.shape, dtype=torch.float64, device=target.device)
        _numbers(wide, fill, random)
        limits = torch.iinfo(target.dtype)
        # The largest 64-bit integers round up to what no longer fits as a double.
        high = limits.max - 1023 if spec.dtype == "i64" else limits.max
        target.copy_(wide.round_().nan_to_num_().clamp_(limits.min, high))


def _numbers(wide: Any, fill: dict[str, Any], random: Any) -> None:
    kind = fill["kind"]
    rows = (*wide.shape[:-1], 1) if wide.dim() > 0 else ()
    if kind == "constant":
        largest = torch.finfo(wide.dtype).max
        wide.fill_(min(max(fill["value"], -largest), largest))
    elif kind == "uniform":
        wide.uniform_(0, 1, generator=random).mul_(fill["high"] - fill["low"]).add_(fill["low"])
    elif kind == "constant-rows":
        wide.copy_(torch.empty(rows, dtype=wide.dtype, device=wide.device).normal_(0, 1, generator=random))
        wide.mul_(fill["std"])
    elif kind == "spikes":
        columns = wide.shape[-1] if wide.dim() > 0 else 1
        place = torch.empty(rows, dtype=torch.int64, device=wide.device).random_(0, columns, generator=random)
        here = (torch.arange(columns, device=wide.device) == place).reshape(wide.shape)
        wide.fill_(fill["low"]).masked_fill_(here, fill["high"])
    else:
        wide.normal_(0, 1, generator=random)
        if kind == "mixed":
            scales = torch.tensor([fill["scale"] / 1000, 1, fill["scale"]], dtype=wide.dtype, device=wide.device)
            # In turn, so that three rows already have all three; where the turn starts is by lot.
            start = torch.empty(1, dtype=torch.int64, device=wide.device).random_(0, 3, generator=random)
            turns = (torch.arange(math.prod(rows), device=wide.device) + start) % 3
            wide.mul_(scales[turns].reshape(rows))
        elif kind == "normal":
            wide.mul_(fill["std"]).add_(fill["mean"])


def _put_nonfinite(wide: Any, fill: dict[str, Any], random: Any) -> None:
    chosen = torch.empty(wide.shape, device=wide.device).uniform_(0, 1, generator=random) < fill["share"]
    values = torch.tensor([NONFINITE[name] for name in fill["values"]], dtype=wide.dtype, device=wide.device)
    which = torch.empty(wide.shape, dtype=torch.int64, device=wide.device)
    which.random_(0, len(fill["values"]), generator=random)
    wide.copy_(torch.where(chosen, values[which], wide))


def _denormal(target: Any, spec: TensorSpec, random: Any) -> None:
    """Exponent bits all zero, the fraction anything but zero, either sign."""
    bits = torch.empty(spec.shape, dtype=torch.int64, device=target.device)
    bits.random_(1, 1 << FRACTION_BITS[spec.dtype], generator=random)
    negative = torch.empty(spec.shape, dtype=torch.int64, device=target.device).random_(0, 2, generator=random)
    integer = SAME_SIZE_INTEGERS[target.element_size()]
    lowest = torch.iinfo(integer).min
    bits = torch.where(negative.bool(), bits + lowest, bits)
    target.view(integer).copy_(bits)
