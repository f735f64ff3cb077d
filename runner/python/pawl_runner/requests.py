"""Reads requests: whatever is not as docs/protocol.md says is a `bad-request` that names the field."""

from __future__ import annotations

import math
import re
from typing import Any, Callable

from .failure import Failure
from .problem import DTYPE_BYTES, Problem, TensorSpec

FILL_FIELDS = {
    "normal": {"mean": 0, "std": 1},
    "uniform": {"low": -1, "high": 1},
    "integers": {"low": None, "high": None},
    "constant": {"value": None},
    "denormal": {},
    "constant-rows": {"std": 1},
    "spikes": {"low": 0, "high": 1},
    "mixed": {"scale": 10},
    "nonfinite": {"share": 0.001},
}
NONFINITE = ("nan", "inf", "-inf")


def field(message: Any, name: str, expected: str, accept: Callable[[Any], bool], where: str = "") -> Any:
    if not isinstance(message, dict):
        raise Failure("bad-request", f"{where or 'the request'} is not an object")
    path = f"{where}.{name}" if where else name
    if name not in message:
        raise Failure("bad-request", f"{path} is missing: {expected} was expected")
    if not accept(message[name]):
        raise Failure("bad-request", f"{path} is not {expected}")
    return message[name]


def is_integer(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def is_number(value: Any) -> bool:
    return is_integer(value) or (isinstance(value, float) and math.isfinite(value))


def text(message: Any, name: str, where: str = "") -> str:
    return field(message, name, "a text", lambda value: isinstance(value, str), where)


def one_of(message: Any, name: str, choices: tuple[str, ...], where: str = "") -> str:
    return field(message, name, " or ".join(choices), lambda value: isinstance(value, str) and value in choices, where)


def count(message: Any, name: str, least: int = 1, where: str = "") -> int:
    return field(message, name, f"an integer of at least {least}", lambda v: is_integer(v) and v >= least, where)


def number(message: Any, name: str, least: float = -math.inf, where: str = "") -> float:
    expected = "a number" if least == -math.inf else f"a number of at least {least}"
    return float(field(message, name, expected, lambda v: is_number(v) and v >= least, where))


def positive(message: Any, name: str, where: str = "") -> float:
    return float(field(message, name, "a positive number", lambda v: is_number(v) and v > 0, where))


def flag(message: Any, name: str, default: bool) -> bool:
    return field({name: default, **message}, name, "true or false", lambda value: isinstance(value, bool))


def objects(message: Any, name: str) -> list[Any]:
    return field(message, name, "a list", lambda value: isinstance(value, list))


def key(message: Any) -> bytes:
    pattern = re.compile("[0-9a-f]{64}")
    accept = lambda value: isinstance(value, str) and pattern.fullmatch(value) is not None  # noqa: E731
    return bytes.fromhex(field(message, "key", "64 hex digits", accept))


def seed(message: Any) -> int:
    accept = lambda value: isinstance(value, str) and re.fullmatch("[0-9]{1,20}", value) is not None  # noqa: E731
    return int(field(message, "seed", "a seed in decimal digits", accept))


def code(message: Any, name: str, where: str = "") -> dict[str, str]:
    """`{library, function?, memory?}`, or `{module, function, reference?}`."""
    value = field(message, name, "an object", lambda value: isinstance(value, dict), where)
    path = f"{where}.{name}" if where else name
    needed = ("library",) if "library" in value else ("module", "function")
    optional = ("function", "memory") if "library" in value else ("reference",)
    names = (*needed, *(one for one in optional if one in value))
    found = {one: text(value, one, path) for one in names}
    if "memory" in found:
        one_of(value, "memory", ("host", "device"), path)
    return found


def problem(message: Any) -> Problem:
    dims = {
        text(dim, "name", f"dims[{at}]"): field(dim, "value", "an integer", is_integer, f"dims[{at}]")
        for at, dim in enumerate(objects(message, "dims"))
    }
    tensors = tuple(_tensor(tensor, f"tensors[{at}]") for at, tensor in enumerate(objects(message, "tensors")))
    variant = field(message, "variant", "an object", lambda value: isinstance(value, dict))
    return Problem(text(message, "case"), dims, tensors, variant)


def _tensor(message: Any, where: str) -> TensorSpec:
    is_shape = lambda value: isinstance(value, list) and all(is_integer(v) and v > 0 for v in value)  # noqa: E731
    return TensorSpec(
        text(message, "name", where),
        one_of(message, "role", ("input", "output", "inout"), where),
        one_of(message, "dtype", tuple(DTYPE_BYTES), where),
        tuple(field(message, "shape", "a list of positive integers", is_shape, where)),
        _fill(field(message, "fill", "an object", lambda value: isinstance(value, dict), where), f"{where}.fill"),
    )


def _fill(message: dict[str, Any], where: str) -> dict[str, Any]:
    kind = one_of(message, "kind", tuple(FILL_FIELDS), where)
    defaults = {name: value for name, value in FILL_FIELDS[kind].items() if value is not None}
    filled = {**defaults, **message}
    for name in FILL_FIELDS[kind]:
        field(filled, name, "a number", is_integer if kind == "integers" else is_number, where)
    # A spike may be a hole.
    if kind in ("uniform", "integers") and filled["low"] > filled["high"]:
        raise Failure("bad-request", f"{where}.low is above high")
    if kind == "nonfinite":
        is_choice = lambda values: isinstance(values, list) and values and all(v in NONFINITE for v in values)  # noqa: E731
        field(filled, "values", f"a list of {', '.join(NONFINITE)}", lambda values: bool(is_choice(values)), where)
        field(filled, "share", "a number from 0 to 1", lambda value: 0 <= value <= 1, where)
    return filled
