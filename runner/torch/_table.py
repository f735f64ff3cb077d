"""dispatch.json: which variant runs which shape, and what a call has to look like."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import Any, Dict, List, NoReturn, Optional, Sequence, Tuple

import torch

#: PyTorch's names; the later ones are absent from early versions.
TORCH_NAMES = {
    "f64": "float64",
    "f32": "float32",
    "f16": "float16",
    "bf16": "bfloat16",
    "i64": "int64",
    "i32": "int32",
    "i16": "int16",
    "i8": "int8",
    "u8": "uint8",
    "u16": "uint16",
    "u32": "uint32",
    "u64": "uint64",
    "bool": "bool",
    "f8e4m3": "float8_e4m3fn",
    "f8e5m2": "float8_e5m2",
    "c64": "complex64",
    "c128": "complex128",
}
#: Places in `pawl_dtype` of pawl_kernel.h.
PAWL_DTYPES = "f64 f32 f16 bf16 i64 i32 i16 i8 u8 u16 u32 u64 bool f8e4m3 f8e5m2 c64 c128".split()

#: Pawl measures at 256 bytes. PyTorch's allocator on the CPU gives 64, which is as much as any vector load asks for.
ALIGNMENT = {"cuda": 256, "cpu": 64}


class Refused(RuntimeError):
    """A call that the operator does not take."""


@dataclass(frozen=True)
class TensorForm:
    name: str
    role: str
    dtype: str

    @property
    def torch_dtype(self) -> torch.dtype:
        found = getattr(torch, TORCH_NAMES[self.dtype], None)
        if found is None:
            raise Refused(f"PyTorch {torch.__version__} has no {TORCH_NAMES[self.dtype]}, which {self.name} is of")
        return found


@dataclass(frozen=True)
class Row:
    """One shape: the values of dims and scalars, and of each tensor its extents and, of a view, its strides."""

    case: str
    variant: int
    dims: Tuple[int, ...]
    scalars: Tuple[float, ...]
    shapes: Tuple[Tuple[int, ...], ...]
    strides: Tuple[Optional[Tuple[int, ...]], ...]
    entry: Dict[str, Any]


class Table:
    def __init__(self, folder: str) -> None:
        self.folder = folder
        with open(os.path.join(folder, "dispatch.json"), encoding="utf-8") as file:
            self.document: Dict[str, Any] = json.load(file)
        if self.document["schema"] != "pawl.torch-dispatch/1":
            raise Refused(f"{folder}/dispatch.json is {self.document['schema']}, not pawl.torch-dispatch/1")
        operator = self.document["operator"]
        self.name: str = operator["name"]
        self.namespace: str = operator["namespace"]
        self.schema: str = operator["schema"]
        self.device: str = operator["device"]
        self.device_name: str = operator["device_name"]
        self.language: str = operator["language"]
        self.tensors = tuple(TensorForm(one["name"], one["role"], one["dtype"]) for one in operator["tensors"])
        self.inputs = tuple(one for one in self.tensors if one.role != "output")
        self.outputs = tuple(one for one in self.tensors if one.role == "output")
        self.dims: List[Dict[str, Any]] = operator["dims"]
        self.scalars: List[Dict[str, Any]] = operator["scalars"]
        self.variants: List[Dict[str, Any]] = self.document["variants"]
        self.rows = tuple(self._row(one) for one in self.document["rows"])
        self._by_key = {(row.dims, row.scalars): row for row in self.rows}
        self._asked = [index for index, dim in enumerate(self.dims) if "tensor" not in dim]

    def _row(self, entry: Dict[str, Any]) -> Row:
        return Row(
            entry["case"],
            entry["variant"],
            tuple(int(entry["dims"][dim["name"]]) for dim in self.dims),
            tuple(float(entry["scalars"][one["name"]]) for one in self.scalars),
            tuple(tuple(one["shape"]) for one in entry["tensors"]),
            tuple(tuple(one["strides"]) if "strides" in one else None for one in entry["tensors"]),
            entry,
        )

    def ordered(self, arguments: Sequence[Any], named: Dict[str, Any]) -> List[Any]:
        """As the schema has them. PyTorch leaves defaults out where it calls Python."""
        forms = self.document["operator"]["arguments"]
        rest = forms[len(arguments) :]
        if len(arguments) > len(forms) or not set(named) <= {one["name"] for one in rest}:
            raise TypeError(f"{self.name} takes {', '.join(one['name'] for one in forms)}")
        found = list(arguments)
        for one in rest:
            if one["name"] not in named and "default" not in one:
                raise TypeError(f"{self.name} needs {one['name']}")
            found.append(named.get(one["name"], one.get("default")))
        return found

    def find(self, arguments: Sequence[Any]) -> Optional[Row]:
        """The row of a call; None where its shape is in no row. The graph of a compiler is fixed to this shape."""
        tensors = arguments[: len(self.inputs)]
        dims = self._dims(tensors, arguments[len(self.inputs) :])
        if dims is None:
            return None
        scalars = tuple(float(value) for value in arguments[len(self.inputs) + len(self._asked) :])
        row = self._by_key.get((dims, scalars))
        return row if row is not None and self._misfit(row, tensors) is None else None

    def require(self, arguments: Sequence[Any]) -> Row:
        """The row of a call. What is not as it was when the kernel was proven is refused, with its reason."""
        tensors = arguments[: len(self.inputs)]
        for form, tensor in zip(self.inputs, tensors):
            self._require_form(form, tensor)
        dims = self._dims(tensors, arguments[len(self.inputs) :])
        scalars = tuple(float(value) for value in arguments[len(self.inputs) + len(self._asked) :])
        row = self._by_key.get((dims, scalars)) if dims is not None else None
        if row is None:
            self.refuse_shape(tensors, dims, scalars)
        misfit = self._misfit(row, tensors)
        if misfit is not None:
            raise Refused(f"{self.name}: {misfit}")
        return row

    def _require_form(self, form: TensorForm, tensor: Any) -> None:
        if tensor.dtype != form.torch_dtype:
            raise Refused(f"{self.name}: {form.name} is of {tensor.dtype}; it was proven with {form.torch_dtype}")
        if tensor.device.type not in (self.device, "meta"):
            raise Refused(f"{self.name}: {form.name} is on {tensor.device}; the kernel runs on {self.device}")
        if torch.is_grad_enabled() and tensor.requires_grad:
            raise Refused(f"{self.name} has no backward pass, and {form.name} requires a gradient: use torch.no_grad()")

    def _dims(self, tensors: Sequence[Any], numbers: Sequence[Any]) -> Optional[Tuple[int, ...]]:
        asked = iter(numbers)
        values = []
        for dim in self.dims:
            if "tensor" not in dim:
                values.append(int(next(asked)))
                continue
            shape = tensors[dim["tensor"]].shape
            if dim["axis"] >= len(shape):
                return None
            values.append(int(shape[dim["axis"]]))
        return tuple(values)

    def _misfit(self, row: Row, tensors: Sequence[Any]) -> Optional[str]:
        places = [index for index, form in enumerate(self.tensors) if form.role != "output"]
        for place, tensor in zip(places, tensors):
            form, shape, strides = self.tensors[place], row.shapes[place], row.strides[place]
            found = tuple(int(extent) for extent in tensor.shape)
            if found != shape:
                return f"{form.name} has shape {list(found)}; with these dimensions it is {list(shape)}"
            if strides is None and not tensor.is_contiguous():
                return f"{form.name} is not contiguous; it was proven contiguous: call .contiguous() first"
            if strides is not None and any(
                extent > 1 and int(one) != wanted for one, wanted, extent in zip(tensor.stride(), strides, shape)
            ):
                return f"{form.name} has strides {list(tensor.stride())}; it was proven with {list(strides)}"
        return None

    def require_aligned(self, form: TensorForm, tensor: torch.Tensor) -> None:
        wanted = ALIGNMENT[self.device]
        if tensor.data_ptr() % wanted != 0:
            raise Refused(
                f"{self.name}: the data of {form.name} does not begin at a multiple of {wanted} bytes: clone it first"
            )

    def refuse_shape(
        self, tensors: Sequence[Any], dims: Optional[Tuple[int, ...]], scalars: Tuple[float, ...]
    ) -> NoReturn:
        if dims is None:
            given = ", ".join(f"{form.name} {list(one.shape)}" for form, one in zip(self.inputs, tensors))
        else:
            named = zip([*self.dims, *self.scalars], [*dims, *scalars])
            given = ", ".join(f"{one['name']}={value:g}" for one, value in named)
        raise Refused(
            f"{self.name} was not proven for {given}. Proven shapes: {self.shapes_text()}. "
            f"Give it a fallback for others: {self.namespace}.use_fallback(function)."
        )

    def shapes_text(self, most: int = 12) -> str:
        rows = [self.row_text(row) for row in self.rows]
        more = f" and {len(rows) - most} more (dispatch.json)" if len(rows) > most else ""
        return "; ".join(rows[:most]) + more

    def row_text(self, row: Row) -> str:
        named = zip([*self.dims, *self.scalars], [*row.dims, *row.scalars])
        return ",".join(f"{one['name']}={value:g}" for one, value in named)
