"""`check`: the kernel's outputs against the oracle's, and the guards (docs/protocol.md)."""

from __future__ import annotations

import math
import time
import weakref
from typing import Any, Sequence

import numpy as np

from .audit import Audit
from .case import BufferSet, Case
from .guards import distinct, inspect_set, poison_returned, tamper, unwritten
from .problem import CANARY, OTHER_CANARY, OTHER_POISON, POISON, TensorSpec
from .verifier import Judgement, Rules, Verifier

_clock_ns, _sleep = time.perf_counter_ns, time.sleep

#: Added to a seed (the golden ratio in 64 bits): other contents for the same addresses.
OTHER_SEED = 0x9E3779B97F4A7C15
#: With an audit, outputs are read again this long after the last call returned.
SETTLE_NS = 5_000_000

Written = list[tuple[TensorSpec, Any]]


def check(case: Case, rules: Rules, seed: int, nondeterministic: bool, audit: Audit | None) -> dict[str, Any]:
    began_ns = _clock_ns()
    buffers = case.sets[0]
    case.kernel_ms = 0.0
    verifier = Verifier(case, rules)
    try:
        if audit is not None:
            audit.begin(case)
        judgement, tampering = _Check(case, buffers, verifier, nondeterministic, audit is not None).run(seed)
        more: dict[str, Any] = {}
        if audit is not None:
            found, more = audit.look(case, buffers)
            tampering += found
    finally:
        case.watched = None
        buffers.guard_with(CANARY)
        # What comes next wants the contents of `prepare`, and makes them (Case.ready).
        buffers.forget()
    return {
        "passed": not tampering,
        "oracle": rules.oracle.name,
        "tensors": judgement.tensors,
        "tampering": distinct(tampering),
        **more,
        "cost_ms": {
            "kernel": case.kernel_ms,
            "oracle": verifier.oracle_ms,
            "total": (_clock_ns() - began_ns) / 1e6,
        },
    }


class _Check:
    """Three runs: on other contents, on the contents that the oracle judges, and on those again."""

    def __init__(
        self, case: Case, buffers: BufferSet, verifier: Verifier, nondeterministic: bool, patient: bool
    ) -> None:
        self._case = case
        self._buffers = buffers
        self._arrays = case.arrays
        self._verifier = verifier
        self._nondeterministic = nondeterministic
        self._patient = patient

    def run(self, seed: int) -> tuple[Judgement, list[dict[str, str]]]:
        case, buffers = self._case, self._buffers
        buffers.fill((seed + OTHER_SEED) % (1 << 64))
        outputs = case.run(buffers)
        earlier = self._copies(outputs)
        kept = [_reference(value) for value in outputs]
        buffers.fill(seed)
        self._verifier.take_inputs(buffers)
        # Last before the call, so that the allocator hands this memory to it and to nobody in between.
        poison_returned(case, buffers, outputs, POISON)
        del outputs

        outputs = case.run(buffers)
        first = self._copies(outputs)
        tampering = self._stale(outputs, kept) + inspect_set(case, buffers, outputs)
        buffers.guard_with(OTHER_CANARY)
        poison_returned(case, buffers, outputs, OTHER_POISON)
        del outputs

        outputs = case.run(buffers, OTHER_POISON)
        returned_ns = _clock_ns()
        last = self._copies(outputs)
        if not tampering:
            tampering += inspect_set(case, buffers, outputs)
        for (spec, one), (_, other) in zip(first, last):
            if spec.role == "output":
                missed = self._arrays.holds(one, POISON) & self._arrays.holds(other, OTHER_POISON)
                tampering += unwritten(spec, self._arrays.count(missed))

        judgement = self._verifier.judge(first)
        ignored = {one["tensor"] for one in tampering if one["detector"] == "unwritten-output"}
        differing = [
            (spec, one, other)
            for (spec, one), (_, other) in zip(first, last)
            if spec.name not in ignored and not self._arrays.same_bits(one, other)
        ]
        if differing and self._nondeterministic:
            tampering += self._verifier.judge([(spec, other) for spec, _, other in differing]).tampering
        elif differing:
            plain, outputs = self._again(outputs, CANARY)
            varied, outputs = self._again(outputs, OTHER_CANARY)
            returned_ns = _clock_ns()
            tampering += self._unlike(differing, plain, varied)
            last = varied

        if not judgement.passed:
            tampering += self._cached(earlier, first, seed)
        tampering += judgement.tampering
        if self._patient:
            _sleep(max(0, SETTLE_NS - (_clock_ns() - returned_ns)) / 1e9)
        tampering += self._late(last, buffers.written(outputs))
        return judgement, tampering

    def _copies(self, outputs: Sequence[Any]) -> Written:
        return [(spec, self._arrays.copy(value)) for spec, value in self._buffers.written(outputs)]

    def _stale(self, outputs: Sequence[Any], kept: Sequence[Any]) -> list[dict[str, str]]:
        """Outputs that are the very objects an earlier call returned, as the runner left them."""
        found = []
        for spec, value, reference in zip(self._case.problem.outputs, outputs, kept):
            if self._case.function.takes_out or reference is None or reference() is not value:
                continue
            holds = self._arrays.holds(value, POISON)
            if self._arrays.count(holds) == holds.shape[0]:
                message = f"'{spec.name}' is what an earlier call on other contents returned, not written again"
                found.append(tamper("cached-result", spec.name, message))
        return found

    def _again(self, outputs: Sequence[Any], canary: int) -> tuple[Written, Sequence[Any]]:
        """A run on the same inputs beside these bytes: copies of what it wrote, and what it returned."""
        self._buffers.guard_with(canary)
        poison = POISON if canary == CANARY else OTHER_POISON
        poison_returned(self._case, self._buffers, outputs, poison)
        del outputs
        outputs = self._case.run(self._buffers, poison)
        return self._copies(outputs), outputs

    def _unlike(
        self, differing: Sequence[tuple[TensorSpec, Any, Any]], plain: Written, varied: Written
    ) -> list[dict[str, str]]:
        """Why two runs on the same inputs differ, by two more: chance does not repeat both."""
        plainly = {spec.name: value for spec, value in plain}
        otherwise = {spec.name: value for spec, value in varied}
        found = []
        for spec, one, other in differing:
            of = f"{self._differences(spec, one, other)} of '{spec.name}'"
            same = self._arrays.same_bits
            if same(one, plainly[spec.name]) and same(other, otherwise[spec.name]):
                message = f"{of} change with the contents of the guard bytes beside the buffers"
                found.append(tamper("out-of-bounds-read", spec.name, message))
            else:
                message = f"{of} differed between two runs on the same inputs"
                found.append(tamper("nondeterministic", spec.name, message))
        return found

    def _differences(self, spec: TensorSpec, one: Any, other: Any) -> str:
        elements = math.prod(spec.shape)
        unlike = self._arrays.to_bytes(one) != self._arrays.to_bytes(other)
        return f"{int(np.count_nonzero(unlike.reshape(elements, -1).any(axis=1)))} of {elements} elements"

    def _cached(self, earlier: Written, first: Written, seed: int) -> list[dict[str, str]]:
        """Wrong outputs that are those of other contents at the same addresses."""
        pairs = [(spec, one, other) for (spec, one), (_, other) in zip(earlier, first) if spec.role == "output"]
        if not pairs or not all(self._arrays.same_bits(one, other) for _, one, other in pairs):
            return []
        if not any(self._varies(spec, other) for spec, _, other in pairs) and not self._right_before(earlier, seed):
            # The same everywhere and never right: nothing was kept, nothing was computed either.
            return []
        message = "new contents at the same addresses gave the output of the old ones"
        return [tamper("cached-result", spec.name, f"'{spec.name}': {message}") for spec, _, _ in pairs]

    def _varies(self, spec: TensorSpec, value: Any) -> bool:
        by_element = self._arrays.to_bytes(value).reshape(math.prod(spec.shape), -1)
        return bool((by_element != by_element[0]).any())

    def _right_before(self, earlier: Written, seed: int) -> bool:
        self._buffers.fill((seed + OTHER_SEED) % (1 << 64))
        self._verifier.take_inputs(self._buffers)
        right = self._verifier.judge(earlier).passed
        self._buffers.fill(seed)
        self._verifier.take_inputs(self._buffers)
        return right

    def _late(self, copies: Written, now: Written) -> list[dict[str, str]]:
        found = []
        for (spec, copy), (_, value) in zip(copies, now):
            if self._arrays.same_bits(copy, value):
                continue
            message = f"'{spec.name}' changed after the call had returned"
            if not self._verifier.judge([(spec, copy)]).passed and self._verifier.judge([(spec, value)]).passed:
                message += ": it was wrong then and is right now, so the work was done after the return"
            found.append(tamper("late-write", spec.name, message))
        return found


def _reference(value: Any) -> Any:
    """Tells whether someone keeps what a call returned; None for scalars, which nobody can refer to weakly."""
    try:
        return weakref.ref(value)
    except TypeError:
        return None
