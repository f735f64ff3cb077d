"""Kernels and oracles in C, C++ and CUDA, called by the interface of pawl_kernel.h (ABI 1)."""

from __future__ import annotations

import ctypes
import hashlib
import os
from typing import Any, List, Optional, Sequence, Tuple

import torch

from ._table import PAWL_DTYPES, Refused

P, I32, I64 = ctypes.c_void_p, ctypes.c_int32, ctypes.c_int64


class PawlTensor(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("data", P), ("shape", ctypes.POINTER(I64)), ("rank", I32), ("dtype", I32)]


class PawlDim(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("value", I64)]


class PawlScalar(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("value", ctypes.c_double), ("integer", I64), ("dtype", I32)]


class PawlCall(ctypes.Structure):
    _fields_ = [
        ("tensors", ctypes.POINTER(PawlTensor)),
        ("dims", ctypes.POINTER(PawlDim)),
        ("tensor_count", I32),
        ("dim_count", I32),
        ("stream", P),
        ("workspace", P),
        ("workspace_bytes", ctypes.c_size_t),
        ("scalars", ctypes.POINTER(PawlScalar)),
        ("scalar_count", I32),
        ("prepared", P),
        ("prepared_bytes", ctypes.c_size_t),
    ]


class Library:
    """A library whose bytes are those that were exported."""

    def __init__(self, folder: str, entry: dict) -> None:
        self.path = os.path.join(folder, entry["file"])
        require_bytes(self.path, entry["sha256"])
        # Names of one variant must not meet those of another.
        self._library = ctypes.CDLL(self.path, mode=os.RTLD_NOW | os.RTLD_LOCAL)

    def has(self, function: str) -> bool:
        return hasattr(self._library, function)

    def call(
        self,
        function: str,
        tensors: Sequence[Tuple[str, str, Sequence[int], torch.Tensor]],
        dims: Sequence[Tuple[str, int]],
        scalars: Sequence[Tuple[str, str, float]],
        stream: Optional[int] = None,
        with_workspace: bool = True,
    ) -> None:
        """Tensors are (name, type, shape, tensor). Raises where the function returns another number than 0."""
        kept: List[Any] = []
        cells = (PawlTensor * len(tensors))()
        for cell, (name, dtype, shape, tensor) in zip(cells, tensors):
            extents = (I64 * max(1, len(shape)))(*shape)
            kept.append(extents)
            cell.name, cell.data, cell.shape = name.encode(), tensor.data_ptr(), extents
            cell.rank, cell.dtype = len(shape), PAWL_DTYPES.index(dtype)
        named = (PawlDim * max(1, len(dims)))(*[PawlDim(name.encode(), value) for name, value in dims])
        numbers = (PawlScalar * max(1, len(scalars)))(*[scalar_of(*one) for one in scalars])
        call = PawlCall(cells, named, len(tensors), len(dims), stream, None, 0, numbers, len(scalars), None, 0)
        workspace = self._workspace(call, tensors) if with_workspace else None
        if workspace is not None:
            call.workspace, call.workspace_bytes = workspace.data_ptr(), workspace.numel()
        code = getattr(self._library, function)(ctypes.byref(call))
        if code != 0:
            raise Refused(f"{os.path.basename(self.path)}: {function} failed with {code}{self._error_text(code)}")

    def _workspace(self, call: PawlCall, tensors: Sequence[Tuple[str, str, Sequence[int], torch.Tensor]]) -> Any:
        if not self.has("pawl_workspace_bytes"):
            return None
        ask = self._library.pawl_workspace_bytes
        ask.restype = ctypes.c_size_t
        size = ask(ctypes.byref(call))
        return None if size == 0 else aligned_empty((size,), torch.uint8, tensors[0][3].device)

    def _error_text(self, code: int) -> str:
        if not self.has("pawl_error_text"):
            return ""
        tell = self._library.pawl_error_text
        tell.restype = ctypes.c_char_p
        text = tell(code)
        return "" if text is None else f": {text.decode(errors='replace')}"


def scalar_of(name: str, dtype: str, value: float) -> PawlScalar:
    if dtype == "f32":
        value = ctypes.c_float(value).value
    return PawlScalar(name.encode(), value, int(value) if dtype.startswith("i") else 0, PAWL_DTYPES.index(dtype))


def aligned_empty(shape: Sequence[int], dtype: torch.dtype, device: Any, alignment: int = 256) -> torch.Tensor:
    """Memory as Pawl's judge gives it to a kernel. PyTorch's own on a GPU is aligned so already."""
    if torch.device(device).type != "cpu":
        return torch.empty(tuple(shape), dtype=dtype, device=device)
    size = torch.empty((), dtype=dtype).element_size()
    count = 1
    for extent in shape:
        count *= extent
    whole = torch.empty(count * size + alignment, dtype=torch.uint8)
    first = -whole.data_ptr() % alignment
    return whole[first : first + count * size].view(dtype).view(tuple(shape))


def require_bytes(path: str, sha256: str) -> None:
    if not os.path.isfile(path):
        raise Refused(f"{path} is missing: export the operator again")
    with open(path, "rb") as file:
        found = hashlib.sha256(file.read()).hexdigest()
    if found != sha256:
        raise Refused(f"{path} is not the file that was exported and proven (SHA-256 {found}): export it again")
