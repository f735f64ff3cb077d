"""An oracle that is a library: `pawl_oracle` of runner/include/pawl_kernel.h, and `pawl_reference` where it has one."""

from __future__ import annotations

import ctypes
import os
from typing import Any

import numpy as np

from . import elements
from .failure import Failure
from .problem import DTYPE_BYTES, GUARD_BYTES, POISON, Problem, TensorSpec


class NativeTensor(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char_p),
        ("data", ctypes.c_void_p),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("rank", ctypes.c_int32),
        ("dtype", ctypes.c_int32),
    ]


class NativeDim(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("value", ctypes.c_int64)]


class NativeCall(ctypes.Structure):
    """`pawl_call` of runner/include/pawl_kernel.h."""

    _fields_ = [
        ("tensors", ctypes.POINTER(NativeTensor)),
        ("dims", ctypes.POINTER(NativeDim)),
        ("tensor_count", ctypes.c_int32),
        ("dim_count", ctypes.c_int32),
        ("stream", ctypes.c_void_p),
        ("workspace", ctypes.c_void_p),
        ("workspace_bytes", ctypes.c_size_t),
    ]


class NativeOracle:
    """Gets host memory, f64 for floating point and i64 for integers; its reference gets the tensors' own types."""

    def __init__(self, code: dict[str, str], arrays: Any) -> None:
        path = code["library"]
        self.name = os.path.basename(path)
        try:
            library = ctypes.CDLL(os.path.abspath(path))
            self._run = _declared(getattr(library, code.get("function", "pawl_oracle")))
        except (OSError, AttributeError) as error:
            raise Failure("load-failed", f"the oracle {path} could not be loaded: {error}") from error
        reference = getattr(library, "pawl_reference", None)
        self._reference = None if reference is None else _declared(reference)

    @property
    def has_reference(self) -> bool:
        return self._reference is not None

    def compute(self, problem: Problem, raw: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        """The outputs as numbers, of inputs as bytes."""
        arrays = {}
        for spec in problem.tensors:
            if spec.name in raw:
                arrays[spec.name] = elements.from_bytes(spec.dtype, raw[spec.name], spec.shape)
            else:
                arrays[spec.name] = np.full(spec.shape, np.nan) if spec.floating else np.zeros(spec.shape, np.int64)
        widened = lambda spec: "f64" if spec.floating else "i64"  # noqa: E731
        addresses = {name: array.ctypes.data for name, array in arrays.items()}
        self._call(self._run, problem, addresses, widened, None)
        return arrays

    def refer(self, problem: Problem, raw: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        """What the trusted implementation in the tensors' own types makes of the same inputs."""
        arrays = {spec.name: _aligned(spec.nbytes) for spec in problem.tensors}
        for name, given in raw.items():
            arrays[name][:] = given
        addresses = {name: array.ctypes.data for name, array in arrays.items()}
        self._call(self._reference, problem, addresses, lambda spec: spec.dtype, None)
        return {spec.name: elements.from_bytes(spec.dtype, arrays[spec.name], spec.shape) for spec in problem.tensors}

    def _call(self, function: Any, problem: Problem, addresses: dict[str, int], dtype_of: Any, stream: Any) -> None:
        codes = list(DTYPE_BYTES)
        tensors = (NativeTensor * max(1, len(problem.tensors)))()
        for tensor, spec in zip(tensors, problem.tensors):
            shape = (ctypes.c_int64 * max(1, len(spec.shape)))(*spec.shape)
            tensor.name, tensor.data, tensor.shape = spec.name.encode(), addresses[spec.name], shape
            tensor.rank, tensor.dtype = len(spec.shape), codes.index(dtype_of(spec))
        dims = (NativeDim * max(1, len(problem.dims)))()
        for dim, (name, value) in zip(dims, problem.dims.items()):
            dim.name, dim.value = name.encode(), value
        status = function(NativeCall(tensors, dims, len(problem.tensors), len(problem.dims), stream, None, 0))
        if status != 0:
            raise Failure("load-failed", f"the oracle {self.name} returned {status}")


class DeviceOracle(NativeOracle):
    """An oracle that is CUDA code: tensors wider than those it judges, in device memory, on the kernel's stream."""

    def __init__(self, code: dict[str, str], arrays: Any) -> None:
        if arrays.device_type != "cuda":
            raise Failure("unsupported", f"the oracle {os.path.basename(code['library'])} is CUDA code and needs a GPU")
        super().__init__(code, arrays)
        self._arrays = arrays

    def compute(self, problem: Problem, raw: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        return self._on_device(self._run, problem, raw, _wider)

    def refer(self, problem: Problem, raw: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        return self._on_device(self._reference, problem, raw, lambda spec: spec.dtype)

    def _on_device(self, function: Any, problem: Problem, raw: dict[str, np.ndarray], dtype_of: Any) -> dict[str, Any]:
        import torch

        from .arrays_torch import DTYPES

        tensors = {}
        for spec in problem.tensors:
            wide = TensorSpec(spec.name, spec.role, dtype_of(spec), spec.shape, spec.fill)
            if spec.name in raw:
                tensors[spec.name] = self._arrays.from_bytes(spec, raw[spec.name]).to(DTYPES[wide.dtype])
            else:
                tensors[spec.name] = self._arrays.empty(wide)
                self._arrays.poison(tensors[spec.name])
        self._arrays.synchronize()
        addresses = {name: tensor.data_ptr() for name, tensor in tensors.items()}
        self._call(function, problem, addresses, dtype_of, torch.cuda.current_stream().cuda_stream)
        self._arrays.synchronize()
        return {
            spec.name: elements.from_bytes(dtype_of(spec), self._arrays.to_bytes(tensors[spec.name]), spec.shape)
            for spec in problem.tensors
            if spec.role != "input"
        }


def _aligned(nbytes: int) -> np.ndarray:
    """Poisoned memory, aligned as pawl_kernel.h promises."""
    memory = np.full(nbytes + GUARD_BYTES, POISON, np.uint8)
    start = -memory.ctypes.data % GUARD_BYTES
    return memory[start : start + nbytes]


def _wider(spec: TensorSpec) -> str:
    return "i64" if not spec.floating else "f32" if spec.dtype in ("f16", "bf16") else "f64"


def _declared(function: Any) -> Any:
    function.restype = ctypes.c_int
    function.argtypes = [ctypes.POINTER(NativeCall)]
    return function
