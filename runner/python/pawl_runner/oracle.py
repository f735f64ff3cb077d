"""What an output should have been: a Python function on 64-bit numbers, or a library (native_oracle.py)."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from . import elements
from .failure import Failure
from .native_oracle import DeviceOracle, NativeOracle
from .problem import Problem, TensorSpec
from .python_function import PythonFunction


class PythonOracle:
    """Gets 64-bit tensors: NumPy arrays, or PyTorch tensors on the kernel's device where the kernel has those."""

    def __init__(self, code: dict[str, str], arrays: Any) -> None:
        self._function = PythonFunction(code, "oracle")
        self.name = f"{os.path.basename(code['module'])}:{code['function']}"
        self._reference = self._function.beside(code["reference"]) if "reference" in code else None
        framework = self._function.framework or arrays.framework
        if framework != arrays.framework:
            arrays = _arrays_on_the_host(framework)
        self._arrays = arrays

    @property
    def has_reference(self) -> bool:
        return self._reference is not None

    def compute(self, problem: Problem, raw: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        """The outputs as numbers, of inputs as bytes."""
        given = lambda spec: self._arrays.for_oracle(elements.from_bytes(spec.dtype, raw[spec.name], spec.shape))  # noqa: E731
        empty = lambda spec: self._arrays.for_oracle(np.zeros(spec.shape, "f8" if spec.floating else "i8"))  # noqa: E731
        return self._call(self._function, problem, given, empty)

    def refer(self, problem: Problem, raw: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        """What the trusted implementation in the tensors' own types makes of the same inputs."""
        if self._arrays.framework == "numpy" and any(spec.dtype == "bf16" for spec in problem.tensors):
            raise Failure("unsupported", f"the reference of {self.name} takes NumPy arrays, which cannot be bf16")
        given = lambda spec: self._arrays.from_bytes(spec, raw[spec.name])  # noqa: E731
        return self._call(self._reference, problem, given, self._arrays.empty)

    def _call(self, function: PythonFunction, problem: Problem, given: Any, empty: Any) -> dict[str, np.ndarray]:
        inputs = {spec.name: given(spec) for spec in problem.inputs}
        outs = [empty(spec) for spec in problem.outputs] if function.takes_out else None
        try:
            result = function.bind(problem, list(inputs.values()), outs)()
        except BaseException as error:
            raise function.failed(error) from error
        values = outs if outs is not None else list(result) if isinstance(result, (tuple, list)) else [result]
        found = {spec.name: value for spec, value in zip(problem.outputs, values)}
        found.update({spec.name: inputs[spec.name] for spec in problem.inputs if spec.role == "inout"})
        return {spec.name: self._checked(spec, found.get(spec.name)) for spec in problem.tensors if spec.role != "input"}

    def _checked(self, spec: TensorSpec, value: Any) -> np.ndarray:
        array = self._arrays.from_oracle(value)
        if array.shape != spec.shape or array.dtype.kind not in "fiu":
            raise Failure(
                "kernel-failed",
                f"the oracle {self.name} returned {spec.name} as {array.dtype}{list(array.shape)}; the shape {list(spec.shape)} is declared",
            )
        return array


def load_oracle(code: dict[str, str], arrays: Any) -> NativeOracle | PythonOracle:
    if "module" in code:
        return PythonOracle(code, arrays)
    return (DeviceOracle if code.get("memory") == "device" else NativeOracle)(code, arrays)


def _arrays_on_the_host(framework: str) -> Any:
    if framework == "numpy":
        from .arrays_numpy import NumpyArrays

        return NumpyArrays()
    from .arrays_torch import TorchArrays

    return TorchArrays("cpu")
