"""What is done around every timed repetition, so that its result is its own; all of it outside the interval."""

from __future__ import annotations

import os
import time
from typing import Any

from .case import BufferSet, Case
from .guards import distinct, inspect_series, poison_returned, tamper

# Bound before any kernel code is imported.
_clock_ns, _sleep, _urandom = time.perf_counter_ns, time.sleep, os.urandom

#: Outputs of the last repetition are read again at least this long after it.
SETTLE_NS = 2_000_000
BATCHED_INOUT = "a batch of calls changes a tensor in place again and again: no single result could be verified"


class TimedGuard:
    """Fresh contents and poison before each repetition; one at random is kept and judged after the series."""

    def __init__(self, case: Case, verifier: Any, guarded: bool) -> None:
        import numpy

        self._case = case
        self._verifier = verifier if guarded else None
        self.guarded = guarded
        self._random = numpy.random.default_rng([case.seed, case.count_series()])
        self._touched: dict[int, BufferSet] = {}
        self._patches: Any = None
        self._result: Any = None
        self._repetitions = 0
        #: The repetition that is kept: its number, its set and its contents; its outputs have memory of their own
        #: from the start, since taking memory between calls could make a call ask the driver for more.
        self._kept: tuple[int, int, Any] | None = None
        specs = [*case.problem.outputs, *(tensor.spec for tensor in case.sets[0].inouts())]
        self._copies = [case.arrays.empty(spec) for spec in specs] if self._verifier is not None else []
        self._disturbed = False
        self.notes: list[str] = []

    def restart(self) -> None:
        """Forgets the repetitions so far: their samples do not count."""
        self._repetitions = 0
        self._kept = None

    def judge_batches(self, batch: int) -> None:
        """Must be told how many calls a repetition is before the first one."""
        if batch > 1 and self._verifier is not None and self._case.sets[0].inouts():
            self._verifier = None
            self.notes.append(BATCHED_INOUT)

    def before(self, at: int, hot: bool) -> None:
        """
        No call is made between the new contents and the interval, or a kernel that keeps results by content
        would have kept this one. The few elements that change stay in the cache that they were written through.
        """
        buffers = self._case.sets[at]
        if self.guarded:
            if hot and self._disturbed:
                # Copying outputs may have put the kernel's data out of the caches.
                poison_returned(self._case, buffers, buffers.returned(buffers.call()))
            self._disturbed = False
            self._patches = buffers.freshen(self._random)
            buffers.poison()
            self._release()
        self._result = None
        self._touched.pop(at, None)
        # Last comes last: what it returned is looked at, too.
        self._touched[at] = buffers

    def after(self, at: int, result: Any) -> bool:
        """Takes what a repetition returned; whether a copy was made of it."""
        self._result = result
        repetition = self._repetitions
        self._repetitions += 1
        # Each of the repetitions so far is the kept one with the same probability, and no kernel can foresee which.
        if self._verifier is None or int.from_bytes(_urandom(8), "little") % (repetition + 1) != 0:
            return False
        buffers = self._case.sets[at]
        for copy, (_, value) in zip(self._copies, buffers.written(buffers.returned(result))):
            self._case.arrays.copy(value, copy)
        self._kept = (repetition, at, self._patches)
        self._disturbed = True
        return True

    def settle(self) -> None:
        """Whatever happened, inputs hold their contents again."""
        for buffers in self._touched.values():
            buffers.settle()

    def finish(self) -> dict[str, Any]:
        """What the series did that it must not do, and how the kept repetition compared with the oracle."""
        if not self.guarded:
            return {"tampering": []}
        case = self._case
        last = list(self._touched.values())[-1]
        outputs = last.returned(self._result)
        taken_ns = _clock_ns()
        copies = [(spec, case.arrays.copy(value)) for spec, value in last.written(outputs)]
        self.settle()
        found = inspect_series(case, list(self._touched.values()), self._result)
        _sleep(max(0, SETTLE_NS - (_clock_ns() - taken_ns)) / 1e9)
        for (spec, copy), (_, value) in zip(copies, last.written(outputs)):
            if not case.arrays.same_bits(copy, value):
                message = f"'{spec.name}' changed after the timed call had returned and was waited for"
                found.append(tamper("late-write", spec.name, message))
        verified = self._verify(found)
        return {"tampering": distinct(found), **verified}

    def _verify(self, found: list[dict[str, str]]) -> dict[str, Any]:
        if self._verifier is None or self._kept is None:
            return {}
        repetition, at, patches = self._kept
        buffers = self._case.sets[at]
        specs = [spec for spec, _ in buffers.written([None] * len(self._case.problem.outputs))]
        buffers.apply(patches)
        try:
            self._verifier.take_inputs(buffers)
        finally:
            buffers.forget()
        judgement = self._verifier.judge(list(zip(specs, self._copies)))
        for one in judgement.tampering:
            message = f"in timed repetition {repetition}, {one['message']}"
            found.append(tamper("timed-result-wrong", one["tensor"], message))
        return {"verified": {"repetition": repetition, "tensors": judgement.tensors}}

    def _release(self) -> None:
        if self._result is not None and not self._case.function.takes_out:
            buffers = list(self._touched.values())[-1]
            poison_returned(self._case, buffers, buffers.returned(self._result))
        self._result = None
