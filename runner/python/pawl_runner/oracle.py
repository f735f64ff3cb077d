"""What an output should have been: a Python function, or a native library, on 64-bit numbers."""

from __future__ import annotations

import ctypes
import os
from typing import Any

import numpy as np

from .failure import Failure
from .problem import DTYPE_BYTES, Problem
from .python_function import PythonFunction


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
    def __init__(self, path: str) -> None:
        self.name = os.path.basename(path)
        try:
            self._run = ctypes.CDLL(os.path.abspath(path)).pawl_oracle
        except (OSError, AttributeError) as error:
            raise Failure("load-failed", f"the oracle {path} could not be loaded: {error}") from error
        self._run.restype = ctypes.c_int
        self._run.argtypes = [ctypes.POINTER(NativeCall)]

    def compute(self, problem: Problem, exact: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        arrays = [
            exact[spec.name] if spec.name in exact else np.zeros(spec.shape, "f8" if spec.floating else "i8")
            for spec in problem.tensors
        ]
        codes = list(DTYPE_BYTES)
        tensors = (NativeTensor * len(arrays))()
        for tensor, spec, array in zip(tensors, problem.tensors, arrays):
            shape = (ctypes.c_int64 * max(1, len(spec.shape)))(*spec.shape)
            tensor.name, tensor.data, tensor.shape = spec.name.encode(), array.ctypes.data, shape
            tensor.rank, tensor.dtype = len(spec.shape), codes.index("f64" if spec.floating else "i64")
        dims = (NativeDim * max(1, len(problem.dims)))()
        for dim, (name, value) in zip(dims, problem.dims.items()):
            dim.name, dim.value = name.encode(), value
        code = self._run(NativeCall(tensors, dims, len(arrays), len(problem.dims), None, None, 0))
        if code != 0:
            raise Failure("load-failed", f"the oracle {self.name} returned {code}")
        return {spec.name: array for spec, array in zip(problem.tensors, arrays)}


class PythonOracle:
    """Gets 64-bit tensors: NumPy arrays, or PyTorch tensors on the kernel's device where the kernel has those."""

    def __init__(self, code: dict[str, str], arrays: Any) -> None:
        self._function = PythonFunction(code, "oracle")
        self._as_numpy = (self._function.framework or arrays.framework) == "numpy"
        if not self._as_numpy and arrays.framework == "numpy":
            from .arrays_torch import TorchArrays

            arrays = TorchArrays("cpu")
        self._arrays = arrays
        self.name = f"{os.path.basename(code['module'])}:{code['function']}"

    def compute(self, problem: Problem, exact: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        given = lambda array: array if self._as_numpy else self._arrays.for_oracle(array)  # noqa: E731
        inputs = {spec.name: given(exact[spec.name]) for spec in problem.inputs}
        outs = None
        if self._function.takes_out:
            outs = [given(np.zeros(spec.shape, "f8" if spec.floating else "i8")) for spec in problem.outputs]
        try:
            result = self._function.bind(problem, list(inputs.values()), outs)()
        except BaseException as error:
            raise self._function.failed(error) from error
        values = outs if outs is not None else list(result) if isinstance(result, (tuple, list)) else [result]
        found = {spec.name: value for spec, value in zip(problem.outputs, values)}
        for spec in problem.inputs:
            if spec.role == "inout":
                found[spec.name] = inputs[spec.name]
        return {
            spec.name: self._checked(spec.name, spec.shape, found.get(spec.name))
            for spec in problem.tensors
            if spec.role != "input"
        }

    def _checked(self, name: str, shape: tuple[int, ...], value: Any) -> np.ndarray:
        array = np.asarray(value) if self._as_numpy else self._arrays.from_oracle(value)
        if array.shape != shape or array.dtype.kind not in "fiu":
            raise Failure(
                "kernel-failed",
                f"the oracle {self.name} returned {name} as {array.dtype}{list(array.shape)}; the shape {list(shape)} is declared",
            )
        return array


def load_oracle(code: dict[str, str], arrays: Any) -> NativeOracle | PythonOracle:
    return NativeOracle(code["library"]) if "library" in code else PythonOracle(code, arrays)
