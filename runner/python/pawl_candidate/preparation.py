"""What a kernel makes of some of its inputs before it is timed: weights in another layout, a plan."""

from __future__ import annotations

import sys
import types
from typing import Any, Callable

import numpy as np

from .failure import Failure
from .function import PythonFunction, bound_call, keywords_of, parameters_of
from .tensors import Problem

#: The parameter of the kernel's function that gets what was prepared.
PREPARED = "prepared"
#: Objects that are looked into for tensors; a plan has few.
MOST_OBJECTS = 10_000


class Preparation:
    """
    A function beside the kernel's. It gets the inputs of `of`, in that order, and dims, scalars and tunables by name;
    it may return anything.
    """

    def __init__(self, code: dict[str, Any], kernel: PythonFunction) -> None:
        self._kernel = kernel
        self._name = code["function"]
        self._of = code["of"]
        self._call = kernel.attribute(self._name)
        self._parameters = parameters_of(self._call)
        if not kernel.takes(PREPARED):
            raise Failure(
                "load-failed",
                f"{kernel.name} has no parameter `{PREPARED}`, which what {self._name} returns is passed to",
            )

    def bind(self, problem: Problem, inputs: dict[str, Any]) -> Callable[[], Any]:
        given = [inputs[name] for name in self._of]
        keywords = keywords_of(self._parameters, problem, len(given))
        return bound_call(self._call, self._name, self._of, given, keywords)

    def failed(self, error: BaseException) -> Failure:
        failure = self._kernel.failed(error)
        return Failure(failure.code, f"{self._name}, which prepares its inputs: {failure.message}")


def host_memory(prepared: Any) -> list[tuple[int, int]]:
    """Where arrays and tensors lie that are reachable from an object through containers and attributes."""
    torch = sys.modules.get("torch")
    found: list[tuple[int, int]] = []
    waiting, seen = [prepared], set()
    while waiting and len(seen) < MOST_OBJECTS:
        one = waiting.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        if isinstance(one, np.ndarray):
            # Of what it is a view of, as much as lies between its first and its last element.
            low, high = np.lib.array_utils.byte_bounds(one) if hasattr(np.lib, "array_utils") else np.byte_bounds(one)
            found.append((low, high - low))
        elif torch is not None and isinstance(one, torch.Tensor):
            if one.device.type == "cpu" and one.layout is torch.strided and one.numel() > 0:
                reach = sum((extent - 1) * stride for extent, stride in zip(one.shape, one.stride()))
                found.append((one.data_ptr(), (reach + 1) * one.element_size()))
        elif isinstance(one, dict):
            waiting.extend(one.values())
        elif isinstance(one, (tuple, list, set, frozenset)):
            waiting.extend(one)
        elif hasattr(one, "__dict__") and not isinstance(one, (type, types.ModuleType, types.FunctionType)):
            waiting.extend(vars(one).values())
    return found
