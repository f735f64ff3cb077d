"""What a case consists of: the tensors and dims of one `prepare` request."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

# In the order of pawl_dtype in runner/include/pawl_kernel.h.
DTYPE_BYTES = {"f64": 8, "f32": 4, "f16": 2, "bf16": 2, "i64": 8, "i32": 4, "i16": 2, "i8": 1, "u8": 1}
FLOATING = ("f64", "f32", "f16", "bf16")

#: Bytes on either side of every tensor, and what they hold: as a number of any type a finite negative one.
GUARD_BYTES = 256
CANARY = 0xC5
#: What they hold in the second run of a check: huge and positive, so that a sum, a least and a greatest element
#: of what lies there all differ from those of the first run.
OTHER_CANARY = 0x7B
#: Outputs before a call: NaN in every floating type.
POISON = 0xFF
#: And in the second run of a check: what holds both in turn was never written, whatever NaN a kernel may write.
OTHER_POISON = 0x55
#: bf16 outputs of timed calls, which are looked at once: PyTorch on a CPU rounds NaN to the bytes 0xFF.
TIMED_POISON_BF16 = 0xAA


@dataclass(frozen=True)
class TensorSpec:
    name: str
    role: str
    dtype: str
    shape: tuple[int, ...]
    fill: dict[str, Any]

    @property
    def floating(self) -> bool:
        return self.dtype in FLOATING

    @property
    def nbytes(self) -> int:
        return math.prod(self.shape) * DTYPE_BYTES[self.dtype]

    @property
    def timed_poison(self) -> int:
        """What an output holds before a timed call."""
        return TIMED_POISON_BF16 if self.dtype == "bf16" else POISON


@dataclass(frozen=True)
class Problem:
    case: str
    dims: dict[str, int]
    tensors: tuple[TensorSpec, ...]
    variant: dict[str, Any]

    @property
    def inputs(self) -> tuple[TensorSpec, ...]:
        """What the function is called with: inputs, and what it changes in place, as declared."""
        return tuple(spec for spec in self.tensors if spec.role != "output")

    @property
    def outputs(self) -> tuple[TensorSpec, ...]:
        """What it returns, or writes into `out`."""
        return tuple(spec for spec in self.tensors if spec.role == "output")

    @property
    def nbytes(self) -> int:
        return sum(spec.nbytes for spec in self.tensors)
