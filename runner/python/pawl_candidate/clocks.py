"""Clocks of this process that kernel code has replaced. No time that counts is read from them, but the judge is told."""

from __future__ import annotations

import sys
import time
from types import BuiltinFunctionType, FunctionType
from typing import Any

#: In C, unless something else was put in their place.
_OF_PYTHON = ("perf_counter", "perf_counter_ns", "monotonic", "monotonic_ns", "process_time", "time", "time_ns")
#: What reads the time in `torch.cuda.Event`, from Python or in C by the version of PyTorch.
_OF_PYTORCH = ("elapsed_time", "record", "synchronize", "query")


def replaced_clocks() -> dict[str, str]:
    """Their names, as settings are listed."""
    found = [f"time.{name}" for name in _OF_PYTHON if type(getattr(time, name, None)) is not BuiltinFunctionType]
    cuda = getattr(sys.modules.get("torch"), "cuda", None)
    event = getattr(cuda, "Event", None)
    if event is not None:
        found += [f"torch.cuda.Event.{name}" for name in _OF_PYTORCH if _is_foreign(getattr(event, name, None))]
    return {f"the clock {name}": "another function" for name in found}


def _is_foreign(function: Any) -> bool:
    """A function in Python whose module is not PyTorch's."""
    if not isinstance(function, FunctionType):
        return False
    module = str(function.__globals__.get("__name__", ""))
    return module != "torch" and not module.startswith("torch.")
