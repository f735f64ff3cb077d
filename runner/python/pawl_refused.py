"""What `pawl_inspect.py` and `pawl_inspect_suites.py` have in common: limits, and refusals in a sentence."""

from __future__ import annotations

import importlib
import resource
import sys
from typing import Any, Callable

#: As the candidate names element types (pawl_candidate/tensors.py).
DTYPES = {
    "float64": "f64",
    "float32": "f32",
    "float16": "f16",
    "bfloat16": "bf16",
    "int64": "i64",
    "int32": "i32",
    "int16": "i16",
    "int8": "i8",
    "uint8": "u8",
    "uint16": "u16",
    "uint32": "u32",
    "uint64": "u64",
    "bool": "bool",
    "float8_e4m3fn": "f8e4m3",
    "float8_e5m2": "f8e5m2",
    "complex64": "c64",
    "complex128": "c128",
}


class Refused(Exception):
    """What cannot be adopted, in a sentence."""


def guarded(words: str, call: Callable[[], Any]) -> Any:
    try:
        return call()
    except Refused:
        raise
    except (Exception, SystemExit) as error:
        lines = str(error).strip().splitlines()
        raise Refused(f"{words} {type(error).__name__}{f': {lines[0][:300]}' if lines else ''}") from error


def try_import(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if name == "numpy":
            return None
        raise Refused(f"it needs the Python module {error.name}, which {sys.executable} does not have; $PAWL_PYTHON names another one") from error


def limit_memory(memory_bytes: int) -> None:
    """Beside what is mapped already: a framework's libraries are large, and not the file's doing."""
    with open("/proc/self/statm", encoding="ascii") as file:
        mapped = int(file.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (mapped + memory_bytes,) * 2)


def kind_of(value: Any) -> str:
    kind = type(value)
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
