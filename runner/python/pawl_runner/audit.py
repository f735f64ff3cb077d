"""The detectors that need many calls: leaks, files, helpers, sleep, caches, settings (docs/protocol.md)."""

from __future__ import annotations

import array
import gc
import time
from typing import Any, Callable

from .case import BufferSet, Case
from .guards import poison_returned, tamper
from .silence import Silence
from .sleep_watch import SleepWatch
from .watch_environment import EnvironmentWatch
from .watch_process import (
    MemoryMeter,
    children,
    children_waited_for,
    is_idle_helper,
    kept_files,
    transferred_bytes,
)

_clock_ns = time.perf_counter_ns

#: The repeated calls: four batches and one before them that does not count, about 200 ms in all.
BATCHES = 4
MOST_CALLS = 32
LEAST_CALLS = 8
BUDGET_MS = 200
#: A leak: every batch leaves at least so much for each of its calls.
LEAST_LEAK = {"objects of Python": 1}
LEAST_LEAK_BYTES = 64
#: Repeated contents that take less than this part of what new ones take were not computed again.
CACHED_SHARE = 0.5
CACHED_LEAST_NS = 20_000
PAIRS = 8
PAIRS_WHEN_SLOW = 3
SLOW_MS = 25

Findings = list[dict[str, str]]


class Audit:
    def __init__(
        self,
        environment: EnvironmentWatch,
        files: set[str],
        device_bytes: Callable[[], dict[str, int]],
        launches: Callable[[Callable[[], Any]], dict[str, Any]],
    ) -> None:
        self._environment = environment
        self._device_bytes = device_bytes
        self._launches = launches
        self._memory = MemoryMeter()
        self._sleep = SleepWatch()
        self._notes: list[str] = []
        #: What was open before the first call.
        self._files = files

    def begin(self, case: Case) -> None:
        case.watched = self._sleep

    def look(self, case: Case, buffers: BufferSet) -> tuple[Findings, dict[str, Any]]:
        """What many calls show, and fields for the result."""
        import numpy

        self._random = numpy.random.default_rng([case.seed, case.count_series()])
        self._case, self._buffers = case, buffers
        helpers = {child.pid: child for child in children()}
        found = self._repeat()
        found += self._sleep.look()
        if self._sleep.blind:
            self._notes.append("sleeping was not looked for: /proc/self/task/*/schedstat cannot be read")
        case.watched = None
        found += self._cached()
        found += self._look_for_helpers(helpers)
        found += self._look_for_files()
        found += self._environment.look()
        more = self._launches(self._call)
        self._notes += more.pop("notes", [])
        return found, {**more, **({"notes": self._notes} if self._notes else {})}

    def _call(self) -> None:
        """One call on new contents."""
        self._buffers.freshen(self._random)
        self._buffers.poison()
        poison_returned(self._case, self._buffers, self._case.call(self._buffers))

    def _repeat(self) -> Findings:
        """Calls in batches, between which memory and transferred bytes are read."""
        calls = int(BUDGET_MS / max(self._case.last_call_ms, 1e-3))
        calls = min(max(calls, LEAST_CALLS), MOST_CALLS) // BATCHES
        with Silence() as silence:
            self._watch_batch(calls, silence)
            names = list(self._read_memory())
            # Made before: what the readings themselves keep must not look like a leak.
            memory = [array.array("q", [0]) * (BATCHES + 1) for _ in names]
            moved = array.array("q", [0]) * BATCHES
            blind = transferred_bytes() is None
            self._note_memory(memory, 0)
            waited = children_waited_for()
            for batch in range(BATCHES):
                moved[batch] = self._watch_batch(calls, silence)
                self._note_memory(memory, batch + 1)
            helped = children_waited_for() != waited
        found: Findings = []
        for name, readings in zip(names, memory):
            least = LEAST_LEAK.get(name, LEAST_LEAK_BYTES)
            growth = [after - before for before, after in zip(readings, readings[1:])]
            if all(grown >= least * calls for grown in growth):
                message = f"every call leaves {min(growth) // calls} {name} allocated"
                found.append(tamper("memory-leaked", None, message))
                break
        if blind:
            self._notes.append("file-access was not looked for: /proc/self/io cannot be read")
        elif all(bytes_moved > 0 for bytes_moved in moved):
            message = f"calls read and write files, pipes or sockets: {min(moved) // (calls - 1)} bytes or more each"
            found.append(tamper("file-access", None, message))
        if helped:
            found.append(tamper("helper-process", None, "calls start processes and wait for them"))
        return found

    def _watch_batch(self, calls: int, silence: Silence) -> int:
        """Bytes that a batch of calls transferred, less what it printed."""
        watched, self._case.watched = self._case.watched, None
        printed = silence.printed_bytes()
        # Two looks in a row: what a look itself transfers.
        once, begin = transferred_bytes() or 0, transferred_bytes() or 0
        for _ in range(calls - 1):
            self._call()
        printed = silence.printed_bytes() - printed
        end = transferred_bytes() or 0
        # The look at sleep reads files of its own, so that its call is not among those that are counted.
        self._case.watched = watched
        self._call()
        return (end - begin) - (begin - once) - printed

    def _read_memory(self) -> dict[str, int]:
        gc.collect()
        return {**self._memory.read(), **self._device_bytes()}

    def _note_memory(self, memory: list[Any], at: int) -> None:
        for readings, value in zip(memory, self._read_memory().values()):
            readings[at] = value

    def _cached(self) -> Findings:
        """New contents against the same again, both prepared in the same way and in turn; the best of each."""
        case, buffers = self._case, self._buffers
        fresh_ns = repeated_ns = 1 << 62
        for _ in range(PAIRS if case.last_call_ms < SLOW_MS else PAIRS_WHEN_SLOW):
            patches = buffers.freshen(self._random)
            fresh_ns = min(fresh_ns, self._time(patches))
            repeated_ns = min(repeated_ns, self._time(patches))
        if fresh_ns <= CACHED_LEAST_NS or repeated_ns >= CACHED_SHARE * fresh_ns:
            return []
        message = f"contents seen before take {repeated_ns / 1000:.1f} us where new ones take {fresh_ns / 1000:.1f} us"
        return [tamper("cached-result", None, message)]

    def _time(self, patches: Any) -> int:
        case, buffers = self._case, self._buffers
        buffers.apply(patches)
        buffers.poison()
        case.arrays.synchronize()
        begin_ns = _clock_ns()
        outputs = case.call(buffers)
        taken_ns = _clock_ns() - begin_ns
        poison_returned(case, buffers, outputs)
        return taken_ns

    def _look_for_helpers(self, before: dict[int, Any]) -> Findings:
        left = [child for child in children() if not is_idle_helper(child, before)]
        if not left:
            return []
        names = ", ".join(f"{child.command[:60]} ({child.pid})" for child in left[:4])
        return [tamper("helper-process", None, f"processes that the kernel started are there: {names}")]

    def _look_for_files(self) -> Findings:
        kept = sorted(kept_files() - self._files)
        if not kept:
            return []
        message = f"the kernel keeps open or maps what it did not before: {', '.join(kept[:4])}"
        return [tamper("file-access", None, message)]
