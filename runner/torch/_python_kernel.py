"""Kernels and oracles in Python, called by the rules that Pawl measures them by (docs/python-kernels.md)."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from typing import Any, Dict, List, Sequence, Tuple

import torch

from ._device import require_device
from ._table import Refused, Row, Table, TensorForm


@dataclass(frozen=True)
class Called:
    """What a function is called with beside its tensors; `inputs` is how pawl.yaml calls these."""

    dims: Dict[str, int]
    scalars: Dict[str, Any]
    variant: Dict[str, Any]
    inputs: Tuple[TensorForm, ...]


class Source:
    """One function of a module."""

    def __init__(self, folder: str, module: str, function: str, role: str) -> None:
        from_pawl = os.path.join(folder, "_pawl")
        if from_pawl not in sys.path:
            sys.path.append(from_pawl)
        from pawl_candidate.failure import Failure
        from pawl_candidate.function import PythonFunction

        try:
            self._function = PythonFunction({"module": os.path.join(folder, module), "function": function}, role)
        except Failure as failure:
            raise Refused(failure.message) from failure
        self._failure = Failure

    def call(self, called: Called, tensors: Sequence[torch.Tensor], outputs: Sequence[torch.Tensor]) -> List[Any]:
        """What it computes, as tensors; inouts are changed in place."""
        function = self._function
        on_host = tensors[0].device.type == "cpu"
        as_arrays = on_host and function.framework != "torch" or function.framework == "numpy"
        handed = [one.detach().cpu().numpy() if as_arrays else one for one in tensors]
        into = [one.detach().numpy() if as_arrays else one for one in outputs] if function.takes_out else None
        try:
            result = function.bind(called, handed, into)()
        except self._failure as failure:
            raise Refused(failure.message) from failure
        if into is not None:
            return list(outputs)
        found = list(result) if isinstance(result, (tuple, list)) else [] if len(outputs) == 0 else [result]
        if len(found) != len(outputs):
            raise Refused(f"{function.name} returned {len(found)} outputs, and has {len(outputs)}")
        return [torch.as_tensor(one, device=tensors[0].device) for one in found]


def called_of(table: Table, row: Row, variant: Dict[str, Any]) -> Called:
    numbers = {}
    for one, value in zip(table.scalars, row.scalars):
        numbers[one["name"]] = float(value) if one["dtype"].startswith("f") else int(value)
    named = {dim["name"]: value for dim, value in zip(table.dims, row.dims)}
    return Called(named, numbers, variant, table.inputs)


class PythonKernels:
    #: `Library.impl` names what it registers by this.
    __name__ = "python_kernels"

    def __init__(self, table: Table) -> None:
        self._table = table
        self._sources = [
            Source(table.folder, one["module"]["file"], one["module"]["function"], "kernel") for one in table.variants
        ]

    def __call__(self, *given: Any, **named: Any) -> Any:
        table = self._table
        arguments = table.ordered(given, named)
        row = table.require(arguments)
        tensors = arguments[: len(table.inputs)]
        device = tensors[0].device
        for form, tensor in zip(table.inputs, tensors):
            if tensor.device != device:
                raise Refused(f"{table.name}: tensors are on {device} and on {tensor.device}")
            table.require_aligned(form, tensor)
        if device.type == "cuda":
            require_device(table, device.index)
        outputs = [
            torch.empty(row.shapes[place], dtype=form.torch_dtype, device=device)
            for place, form in enumerate(table.tensors)
            if form.role == "output"
        ]
        variant = table.variants[row.variant]["variant"]
        with torch.no_grad():
            found = self._sources[row.variant].call(called_of(table, row, variant), tensors, outputs)
        for form, one, wanted in zip(table.outputs, found, outputs):
            if one.dtype != wanted.dtype or one.numel() != wanted.numel():
                raise Refused(f"{table.name} returned {form.name} as {list(one.shape)} of {one.dtype}")
        # An operator may not return memory of its inputs.
        addresses = {one.data_ptr() for one in tensors}
        made = [one.reshape(wanted.shape).contiguous() for one, wanted in zip(found, outputs)]
        made = [one.clone() if one.data_ptr() in addresses else one for one in made]
        return None if not made else made[0] if len(made) == 1 else tuple(made)
