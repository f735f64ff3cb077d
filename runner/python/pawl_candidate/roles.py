"""What a function that pawl.yaml names is: a function, a class that is built once, what makes inputs, or what judges outputs."""

from __future__ import annotations

from typing import Any

from .checker import Checker
from .function import PythonFunction
from .generator import Generator
from .torch_module import TorchModule, is_torch_module


def function_of(code: dict[str, Any], role: str) -> PythonFunction:
    if role == "generator":
        return Generator(code)
    if role == "checker":
        return Checker(code)
    found = PythonFunction(code, role)
    return TorchModule(code, role, found) if is_torch_module(found.called) else found
