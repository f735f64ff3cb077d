"""Inputs of a case, filled as pawl.yaml says."""

from __future__ import annotations

from typing import Any, Dict, List, Sequence

import torch

from ._library import aligned_empty
from ._table import Row, Table



def make_inputs(table: Table, row: Row, device: Any, seed: int) -> List[torch.Tensor]:
    generator = torch.Generator(device="cpu" if device == "cpu" else device)
    generator.manual_seed(seed)
    made = []
    for place, form in enumerate(table.tensors):
        if form.role == "output":
            continue
        values = drawn(row.entry["tensors"][place]["fill"], row.shapes[place], device, generator)
        if form.torch_dtype == torch.bool:
            values = values % 2
        made.append(laid_out(values.to(form.torch_dtype), row.strides[place], device))
    return made


def drawn(fill: Dict[str, Any], shape: Sequence[int], device: Any, generator: torch.Generator) -> torch.Tensor:
    kind = fill["kind"]

    def normal(of: Sequence[int]) -> torch.Tensor:
        return torch.randn(tuple(of), generator=generator, device=device)

    if kind == "uniform":
        low, high = fill.get("low", -1), fill.get("high", 1)
        return torch.rand(tuple(shape), generator=generator, device=device) * (high - low) + low
    if kind == "integers":
        return torch.randint(fill["low"], fill["high"] + 1, tuple(shape), generator=generator, device=device)
    if kind == "constant":
        return torch.full(tuple(shape), float(fill["value"]), device=device)
    if kind == "constant-rows":
        return (normal(shape[:-1]) * fill.get("std", 1)).unsqueeze(-1).expand(tuple(shape)).contiguous()
    if kind == "spikes":
        values = torch.full(tuple(shape), float(fill.get("low", 0)), device=device).reshape(-1, shape[-1])
        places = torch.randint(0, shape[-1], (values.shape[0], 1), generator=generator, device=device)
        return values.scatter_(1, places, float(fill.get("high", 1))).reshape(tuple(shape))
    if kind == "mixed":
        values = normal(shape).reshape(-1, shape[-1] if len(shape) > 0 else 1)
        rows = torch.arange(values.shape[0], device=device) % 3
        scale = torch.where(rows == 0, 1e-3, torch.where(rows == 1, 1.0, float(fill.get("scale", 10))))
        return (values * scale.unsqueeze(1)).reshape(tuple(shape))
    if kind == "normal":
        return normal(shape) * fill.get("std", 1) + fill.get("mean", 0)
    raise ValueError(f"the self-test cannot fill a tensor with {kind}")


def laid_out(values: torch.Tensor, strides: Any, device: Any) -> torch.Tensor:
    """In memory that begins where a kernel may expect it; a view where it was proven as one."""
    if strides is None:
        place = aligned_empty(values.shape, values.dtype, device)
        place.copy_(values)
        return place
    last = sum(stride * (extent - 1) for stride, extent in zip(strides, values.shape))
    storage = aligned_empty((last + 1,), values.dtype, device).fill_(0)
    view = storage.as_strided(tuple(values.shape), tuple(strides))
    # Elements that share a place are the same element.
    index = tuple(0 if stride == 0 else slice(None) for stride in strides)
    view[index] = values[index]
    return view
