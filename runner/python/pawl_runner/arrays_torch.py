"""Tensors as PyTorch tensors, on the GPU or in host memory, each between two canaries."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
import torch

from .problem import TensorSpec

GUARD_BYTES = 256
CANARY = 0xC5
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
SAME_SIZE_INTEGERS = {8: torch.int64, 4: torch.int32, 2: torch.int16, 1: torch.int8}


class TorchTensor:
    def __init__(self, spec: TensorSpec, index: int, device: torch.device) -> None:
        self.spec = spec
        self._index = index
        self._guarded = torch.full((spec.nbytes + 2 * GUARD_BYTES,), CANARY, dtype=torch.uint8, device=device)
        self._bytes = self._guarded[GUARD_BYTES:-GUARD_BYTES]
        self.view = self._bytes.view(DTYPES[spec.dtype]).view(spec.shape)
        self._seed = 0

    def fill(self, seed: int, set_index: int) -> None:
        """Contents that depend on the seed, the set and the tensor, and on nothing else."""
        digest = hashlib.sha256(f"{seed}/{set_index}/{self._index}".encode()).digest()
        self._seed = int.from_bytes(digest[:8], "little") >> 1
        self.restore()

    def restore(self) -> None:
        _draw(self.spec, self.view, self._seed)

    def poison(self) -> None:
        self._bytes.fill_(0xFF)

    def changed(self) -> bool:
        # Drawn again rather than kept: it needs memory for one tensor, not for every one of every set.
        again = torch.empty_like(self._bytes)
        _draw(self.spec, again.view(DTYPES[self.spec.dtype]).view(self.spec.shape), self._seed)
        return not torch.equal(self._bytes, again)

    def overrun(self) -> bool:
        """Whether a canary was overwritten since it was last asked."""
        ends = (self._guarded[:GUARD_BYTES], self._guarded[-GUARD_BYTES:])
        found = bool((torch.cat(ends) != CANARY).any().item())
        for end in ends if found else ():
            end.fill_(CANARY)
        return found


class TorchArrays:
    framework = "torch"

    def __init__(self, device: str) -> None:
        self._device = torch.device(device)

    def allocate(self, spec: TensorSpec, index: int) -> TorchTensor:
        return TorchTensor(spec, index, self._device)

    def describe(self, value: Any) -> tuple[tuple[int, ...], str] | None:
        """Shape and dtype, or None for what is no tensor. Subclasses are not tensors: they may compute later."""
        if type(value) is not torch.Tensor or value.device.type != self._device.type:
            return None
        return tuple(value.shape), NAMES.get(value.dtype, str(value.dtype))

    def overlap(self, one: Any, other: Any) -> bool:
        return one.untyped_storage().data_ptr() == other.untyped_storage().data_ptr()

    def poison(self, value: Any) -> None:
        if value.is_contiguous():
            # What a function made in inference mode may only be written in inference mode.
            with torch.inference_mode(value.is_inference()):
                value.view(-1).view(torch.uint8).fill_(0xFF)

    def unwritten(self, value: Any) -> int:
        pattern = value.contiguous().view(-1).view(SAME_SIZE_INTEGERS[value.element_size()])
        return int((pattern == -1).sum().item())

    def copy(self, value: Any) -> Any:
        return value.clone(memory_format=torch.contiguous_format)

    def same_bits(self, one: Any, other: Any) -> bool:
        bits = (side.contiguous().view(-1).view(torch.uint8) for side in (one, other))
        return torch.equal(*bits)

    def to_exact(self, value: Any) -> np.ndarray:
        """A copy in f64 or i64, which hold every element type exactly: what an oracle and a comparison work on."""
        exact = torch.float64 if value.dtype.is_floating_point else torch.int64
        return value.to(exact).cpu().contiguous().numpy().copy()

    def for_oracle(self, exact: np.ndarray) -> Any:
        return torch.from_numpy(exact).to(self._device)

    def from_oracle(self, value: Any) -> np.ndarray:
        return value.detach().cpu().contiguous().numpy() if isinstance(value, torch.Tensor) else np.asarray(value)

    def synchronize(self) -> None:
        if self._device.type == "cuda":
            torch.cuda.synchronize(self._device)


def _draw(spec: TensorSpec, target: Any, seed: int) -> None:
    random = torch.Generator(device=target.device)
    random.manual_seed(seed)
    fill = spec.fill
    kind = fill["kind"]
    if kind == "constant":
        target.fill_(fill["value"])
    elif kind == "integers":
        drawn = torch.empty(spec.shape, dtype=torch.int64, device=target.device)
        target.copy_(drawn.random_(fill["low"], fill["high"] + 1, generator=random))
    else:
        drawn = target if spec.floating else torch.empty(spec.shape, dtype=torch.float32, device=target.device)
        if kind == "normal":
            drawn.normal_(fill["mean"], fill["std"], generator=random)
        else:
            drawn.uniform_(fill["low"], fill["high"], generator=random)
        if not spec.floating:
            limits = torch.iinfo(target.dtype)
            target.copy_(drawn.round_().clamp_(limits.min, limits.max))
