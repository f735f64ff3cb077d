"""What a case consists of, as the judge told it: the form of its tensors, dims, scalars and tunables."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

# In the order of pawl_dtype in runner/include/pawl_kernel.h.
DTYPE_BYTES = {
    "f64": 8,
    "f32": 4,
    "f16": 2,
    "bf16": 2,
    "i64": 8,
    "i32": 4,
    "i16": 2,
    "i8": 1,
    "u8": 1,
    "u16": 2,
    "u32": 4,
    "u64": 8,
    "bool": 1,
    "f8e4m3": 1,
    "f8e5m2": 1,
    "c64": 8,
    "c128": 16,
    "f4e2m1": 1,
}
DTYPES = tuple(DTYPE_BYTES)
#: Of which a byte holds two: arrays of them are half as long along their last axis.
PACKED = ("f4e2m1",)
#: Handed out as bytes (u8) by frameworks that do not have them.
FLOATS_IN_BYTES = ("f8e4m3", "f8e5m2", *PACKED)


@dataclass(frozen=True)
class TensorSpec:
    name: str
    role: str
    dtype: str
    shape: tuple[int, ...]
    #: An oracle may leave it out: it is judged in another way.
    optional: bool = False
    #: Another output counts its rows: fewer may be returned.
    partial: bool = False
    #: Where its elements lie in a storage of their own, counted in elements; None: one after the other.
    strides: tuple[int, ...] | None = None
    offset: int = 0
    stored: int = 0

    @property
    def nbytes(self) -> int:
        """Of the memory that the tensor lies in."""
        return (math.prod(self.shape) if self.strides is None else self.stored) * DTYPE_BYTES[self.dtype]


@dataclass(frozen=True)
class Problem:
    dims: dict[str, int]
    scalars: dict[str, int | float]
    tensors: tuple[TensorSpec, ...]
    variant: dict[str, Any]
    #: Random numbers start alike in every call.
    seeded: bool

    @property
    def inputs(self) -> tuple[TensorSpec, ...]:
        """What the function is called with: inputs, and what it changes in place, as declared."""
        return tuple(spec for spec in self.tensors if spec.role != "output")

    @property
    def outputs(self) -> tuple[TensorSpec, ...]:
        """What it returns, or writes into `out`."""
        return tuple(spec for spec in self.tensors if spec.role == "output")


def scalar_value(dtype: str, value: int | float) -> int | float:
    """JSON does not tell 1.0 from 1, and `x ** 1.0` is not `x ** 1`."""
    return float(value) if dtype.startswith("f") else int(value)


def shape_of_array(dtype: str, shape: list[int]) -> tuple[int, ...]:
    return (*shape[:-1], shape[-1] // 2) if dtype in PACKED else tuple(shape)


def problem_of(request: dict[str, Any]) -> Problem:
    return Problem(
        {dim["name"]: dim["value"] for dim in request["dims"]},
        {one["name"]: scalar_value(one["dtype"], one["value"]) for one in request["scalars"]},
        tuple(
            TensorSpec(
                one["name"],
                one["role"],
                DTYPES[one["dtype"]],
                shape_of_array(DTYPES[one["dtype"]], one["shape"]),
                one.get("optional", False),
                one.get("partial", False),
                tuple(one["strides"]) if "strides" in one else None,
                one.get("offset", 0),
                one.get("stored", 0),
            )
            for one in request["tensors"]
        ),
        request.get("variant", {}),
        request.get("seeded", False),
    )
