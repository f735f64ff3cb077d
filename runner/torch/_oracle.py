"""What is right: the oracle of the problem, in higher precision, and its reference in the tensors' own."""

from __future__ import annotations

from typing import Any, List, Optional, Sequence

import torch

from ._library import Library, aligned_empty
from ._python_kernel import Source, called_of
from ._table import TORCH_NAMES, Row, Table

SMALL_FLOATS = ("f16", "bf16", "f8e4m3", "f8e5m2")


def wide_of(dtype: str, on_device: bool) -> str:
    """The type in which an oracle gets a tensor (runner/include/pawl_kernel.h)."""
    if on_device and dtype in SMALL_FLOATS:
        return "f32"
    if dtype.startswith("f") or dtype == "bf16":
        return "f64"
    if dtype.startswith("c"):
        return "c128"
    return "u64" if dtype == "u64" else "i64"


class Oracle:
    def __init__(self, table: Table) -> None:
        self._table = table
        self._facts = table.document["oracle"]
        self._library: Optional[Library] = None
        if "library" in self._facts:
            self._library = Library(table.folder, self._facts["library"])
        self._on_device = self._facts["language"] == "cuda"

    @property
    def has_reference(self) -> bool:
        if self._library is not None:
            return self._library.has("pawl_reference")
        return "reference" in self._facts

    def right(self, row: Row, inputs: Sequence[torch.Tensor]) -> List[torch.Tensor]:
        """What outputs and inouts have to be, wide."""
        return self._computed("pawl_oracle", self._facts.get("function"), row, inputs, wide=True)

    def reference(self, row: Row, inputs: Sequence[torch.Tensor]) -> List[torch.Tensor]:
        return self._computed("pawl_reference", self._facts.get("reference"), row, inputs, wide=False)

    def _computed(
        self, symbol: str, function: Optional[str], row: Row, inputs: Sequence[torch.Tensor], wide: bool
    ) -> List[torch.Tensor]:
        table = self._table
        device = table.device if self._on_device or self._library is None else "cpu"
        given = iter(inputs)
        tensors = []
        for place, form in enumerate(table.tensors):
            own = self._facts.get("precision") == "own" or not wide
            dtype = form.dtype if own or (form.dtype == "bool" and self._library is None) else self._wide(form.dtype)
            place_of = aligned_empty(row.shapes[place], getattr(torch, TORCH_NAMES[dtype]), device)
            if form.role != "output":
                place_of.copy_(next(given))
            elif place_of.dtype.is_floating_point or place_of.dtype.is_complex:
                place_of.fill_(float("nan"))
            else:
                place_of.zero_()
            tensors.append((form.name, dtype, row.shapes[place], place_of))
        if self._library is not None:
            self._run_library(symbol, row, tensors, device)
        else:
            self._run_source(function, row, tensors)
        return [one[3] for form, one in zip(table.tensors, tensors) if form.role != "input"]

    def _wide(self, dtype: str) -> str:
        return wide_of(dtype, self._on_device)

    def _run_library(self, symbol: str, row: Row, tensors: Any, device: str) -> None:
        table = self._table
        dims = [(dim["name"], value) for dim, value in zip(table.dims, row.dims)]
        scalars = [(one["name"], one["dtype"], value) for one, value in zip(table.scalars, row.scalars)]
        stream = torch.cuda.current_stream().cuda_stream if device == "cuda" else None
        self._library.call(symbol, tensors, dims, scalars, stream, with_workspace=False)

    def _run_source(self, function: Optional[str], row: Row, tensors: Any) -> None:
        table = self._table
        source = Source(table.folder, self._facts["module"]["file"], function, "oracle")
        inputs = [one[3] for form, one in zip(table.tensors, tensors) if form.role != "output"]
        outputs = [one[3] for form, one in zip(table.tensors, tensors) if form.role == "output"]
        for into, found in zip(outputs, source.call(called_of(table, row, {}), inputs, outputs)):
            into.copy_(found.reshape(into.shape))
