"""The tamper detectors (docs/protocol.md, «Guards»)."""

from __future__ import annotations

import math
from typing import Any, Sequence

from .case import BufferSet, Case
from .problem import TensorSpec


def inspect_set(case: Case, buffers: BufferSet, outputs: Sequence[Any]) -> list[dict[str, str]]:
    """What a call did to its buffers that it must not do, but for what it did not write."""
    found = []
    for tensor in buffers.tensors:
        name = tensor.spec.name
        if tensor.overrun():
            found.append(tamper("out-of-bounds-write", name, f"the kernel wrote outside {name}: its canary changed"))
        if tensor.spec.role == "input" and tensor.changed():
            found.append(tamper("input-changed", name, f"the kernel changed its input {name}"))
    for spec, value in zip(case.problem.outputs, outputs):
        shared = aliased(case, buffers, value)
        if shared is not None:
            found.append(
                tamper("aliased-output", spec.name, f"{spec.name} lies in the memory of {shared}: no output was made")
            )
    return found


def inspect_timed(case: Case, buffers: BufferSet, outputs: Sequence[Any]) -> list[dict[str, str]]:
    """As `inspect_set`, and what still holds the poison of timed calls; integers may, and mean it."""
    found = inspect_set(case, buffers, outputs)
    for spec, value in zip(case.problem.outputs, outputs):
        if spec.floating:
            found += unwritten(spec, case.arrays.count(case.arrays.holds(value, spec.timed_poison)))
    return found


def unwritten(spec: TensorSpec, missed: int) -> list[dict[str, str]]:
    """For so many elements that still hold the poison."""
    if missed == 0:
        return []
    elements = math.prod(spec.shape)
    message = f"{missed} of {elements} elements of '{spec.name}' were not written"
    return [tamper("unwritten-output", spec.name, message)]


def inspect_series(case: Case, touched: Sequence[BufferSet], result: Any) -> list[dict[str, str]]:
    """What the calls of a series did to the sets they touched; the last set is the one `result` came from."""
    found = []
    for buffers in touched[:-1]:
        found += inspect_timed(case, buffers, buffers.own_outputs())
    last = touched[-1]
    return distinct([*found, *inspect_timed(case, last, last.returned(result))])


def aliased(case: Case, buffers: BufferSet, value: Any) -> str | None:
    """The input in whose memory an output lies. Outputs that the function was given do not count."""
    if case.function.takes_out:
        return None
    for tensor in buffers.inputs:
        if case.arrays.overlap(value, tensor.view):
            return tensor.spec.name
    return None


def poison_returned(
    case: Case, buffers: BufferSet, outputs: Sequence[Any], byte: int | None = None
) -> None:
    """
    Poisons what a function returned before it is freed: the allocator hands the same memory out again, and
    a function that then leaves an element unwritten returns the poison instead of an old right answer.
    """
    if case.function.takes_out:
        return
    for spec, value in zip(case.problem.outputs, outputs):
        if aliased(case, buffers, value) is None:
            case.arrays.poison(value, spec.timed_poison if byte is None else byte)


def tamper(detector: str, tensor: str | None, message: str) -> dict[str, str]:
    about = {} if tensor is None else {"tensor": tensor}
    return {"detector": detector, **about, "message": message}


def distinct(found: Sequence[dict[str, str]]) -> list[dict[str, str]]:
    """One of each: the same fault in every buffer set is one fault."""
    return list({(one["detector"], one.get("tensor")): one for one in reversed(found)}.values())[::-1]
