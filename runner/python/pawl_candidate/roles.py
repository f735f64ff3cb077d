"""What a function that pawl.yaml names is: a function, a class that is built once, or what makes inputs."""

from __future__ import annotations

from typing import Any

from .function import PythonFunction
from .generator import Generator
from .torch_module import TorchModule, is_torch_module


def function_of(code: dict[str, Any], role: str) -> PythonFunction:
    if role == "generator":
        return Generator(code)
    found = PythonFunction(code, role)
    return TorchModule(code, role, found) if is_torch_module(found.called) else found
