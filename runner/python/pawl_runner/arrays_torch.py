"""Tensors as PyTorch tensors, on the GPU or in host memory, each between two canaries."""

from __future__ import annotations

import hashlib
import math
from typing import Any

import numpy as np
import torch

from .fills_torch import SAME_SIZE_INTEGERS, draw_into
from .fresh_values import ELEMENTS, FreshValues, Patch
from .problem import CANARY, GUARD_BYTES, POISON, TensorSpec

DTYPES = {
    "f64": torch.float64,
    "f32": torch.float32,
    "f16": torch.float16,
    "bf16": torch.bfloat16,
    "i64": torch.int64,
    "i32": torch.int32,
    "i16": torch.int16,
    "i8": torch.int8,
    "u8": torch.uint8,
}
NAMES = {dtype: name for name, dtype in DTYPES.items()}


class TorchTensor:
    def __init__(self, spec: TensorSpec, index: int, device: torch.device, guard_bytes: int) -> None:
        self.spec = spec
        self._index = index
        self._canary = CANARY
        self._guard_bytes = guard_bytes
        self._guarded = torch.full((spec.nbytes + 2 * guard_bytes,), CANARY, dtype=torch.uint8, device=device)
        self._bytes = self._guarded[guard_bytes : guard_bytes + spec.nbytes]
        self.view = self._bytes.view(DTYPES[spec.dtype]).view(spec.shape)
        self._integers = self._bytes.view(SAME_SIZE_INTEGERS[self.view.element_size()])
        self._seed = 0
        self._fresh = FreshValues(spec, math.prod(spec.shape))
        self._changed_count = 0
        # Made at once: an allocation between samples could make the call under test ask the driver for memory.
        self._patching = (
            torch.empty(ELEMENTS, dtype=torch.int64, device=device),
            torch.empty(ELEMENTS, dtype=self._integers.dtype, device=device),
            torch.empty(ELEMENTS, dtype=self._integers.dtype, device=device),
        )

    def fill(self, seed: int, set_index: int) -> None:
        """Contents that depend on the seed, the set and the tensor, and on nothing else."""
        digest = hashlib.sha256(f"{seed}/{set_index}/{self._index}".encode()).digest()
        self._seed = int.from_bytes(digest[:8], "little") >> 1
        self.restore()

    def restore(self) -> None:
        draw_into(self.view, self.spec, self._seed)
        self._changed_count = 0

    def freshen(self, random: np.random.Generator) -> Patch:
        """Gives a few elements new values, after those that were changed last have their first ones again."""
        patch = self._fresh.draw(random)
        self.apply(patch)
        return patch

    def apply(self, patch: Patch) -> None:
        self.settle()
        count = len(patch.positions)
        positions, values, before = (buffer[:count] for buffer in self._patching)
        positions.copy_(torch.from_numpy(patch.positions))
        values.copy_(torch.from_numpy(patch.values))
        torch.gather(self._integers, 0, positions, out=before)
        self._integers.scatter_(0, positions, values)
        self._changed_count = count

    def settle(self) -> None:
        """Puts the first values back where `freshen` changed them."""
        if self._changed_count > 0:
            positions, _, before = (buffer[: self._changed_count] for buffer in self._patching)
            self._integers.scatter_(0, positions, before)
            self._changed_count = 0

    def poison(self, byte: int = POISON) -> None:
        self._bytes.fill_(byte)

    def changed(self) -> bool:
        # Drawn again rather than kept: it needs memory for one tensor, not for every one of every set.
        again = torch.empty_like(self._bytes)
        draw_into(again.view(DTYPES[self.spec.dtype]).view(self.spec.shape), self.spec, self._seed)
        return not torch.equal(self._bytes, again)

    def guard_with(self, byte: int) -> None:
        """Other bytes beside the tensor: a result that depends on them was read there."""
        self._canary = byte
        for end in self._ends():
            end.fill_(byte)

    def overrun(self) -> bool:
        """Whether a canary was overwritten since it was last asked."""
        if self._guard_bytes == 0:
            return False
        found = bool((torch.cat(self._ends()) != self._canary).any().item())
        if found:
            self.guard_with(self._canary)
        return found

    def _ends(self) -> tuple[Any, Any]:
        return self._guarded[: self._guard_bytes], self._guarded[self._guard_bytes + self.spec.nbytes :]


class TorchArrays:
    framework = "torch"

    def __init__(self, device: str, guard_bytes: int = GUARD_BYTES) -> None:
        self._device = torch.device(device)
        self._guard_bytes = guard_bytes

    @property
    def device_type(self) -> str:
        return self._device.type

    def allocate(self, spec: TensorSpec, index: int) -> TorchTensor:
        return TorchTensor(spec, index, self._device, self._guard_bytes)

    def describe(self, value: Any) -> tuple[tuple[int, ...], str] | None:
        """Shape and dtype, or None for what is no tensor. Subclasses are not tensors: they may compute later."""
        if type(value) is not torch.Tensor or value.device.type != self._device.type:
            return None
        name = NAMES.get(value.dtype)
        return tuple(value.shape), str(value.dtype) if name is None else name

    def overlap(self, one: Any, other: Any) -> bool:
        return one.untyped_storage().data_ptr() == other.untyped_storage().data_ptr()

    def poison(self, value: Any, byte: int = POISON) -> None:
        if value.is_contiguous():
            # What a function made in inference mode may only be written in inference mode.
            with torch.inference_mode(value.is_inference()):
                value.view(-1).view(torch.uint8).fill_(byte)

    def holds(self, value: Any, byte: int) -> Any:
        """Where elements consist of this byte: one truth value an element."""
        pattern = value.contiguous().view(-1).view(SAME_SIZE_INTEGERS[value.element_size()])
        return pattern == int.from_bytes(bytes([byte] * value.element_size()), "little", signed=True)

    def count(self, truths: Any) -> int:
        return int(truths.sum().item())

    def empty(self, spec: TensorSpec) -> Any:
        return torch.empty(spec.shape, dtype=DTYPES[spec.dtype], device=self._device)

    def copy(self, value: Any, into: Any = None) -> Any:
        if into is None:
            return value.clone(memory_format=torch.contiguous_format)
        return into.copy_(value)

    def same_bits(self, one: Any, other: Any) -> bool:
        bits = (side.contiguous().view(-1).view(torch.uint8) for side in (one, other))
        return torch.equal(*bits)

    def to_bytes(self, value: Any) -> np.ndarray:
        """A copy of the bytes in host memory."""
        return value.detach().contiguous().view(-1).view(torch.uint8).cpu().numpy().copy()

    def from_bytes(self, spec: TensorSpec, raw: np.ndarray) -> Any:
        """A tensor of the runner's own, outside of all buffer sets."""
        return torch.from_numpy(raw.copy()).to(self._device).view(DTYPES[spec.dtype]).view(spec.shape)

    def for_oracle(self, exact: np.ndarray) -> Any:
        return torch.from_numpy(exact).to(self._device)

    def from_oracle(self, value: Any) -> np.ndarray:
        if not isinstance(value, torch.Tensor):
            return np.asarray(value)
        value = value.detach().contiguous()
        # NumPy has no bf16, and widening it changes nothing.
        return (value.float() if value.dtype == torch.bfloat16 else value).cpu().numpy()

    def synchronize(self) -> None:
        if self._device.type == "cuda":
            torch.cuda.synchronize(self._device)
