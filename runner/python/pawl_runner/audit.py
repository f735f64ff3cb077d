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
    OBJECTS,
    MemoryMeter,
    children,
    children_waited_for,
    is_idle_helper,
    kept_files,
    transferred_bytes,
)

_clock_ns, _cpu_ns = time.perf_counter_ns, time.process_time_ns

#: The repeated calls: four batches and one before them that does not count, about 200 ms in all.
BATCHES = 4
MOST_CALLS = 32
LEAST_CALLS = 8
BUDGET_MS = 200
#: So many times as many confirm what was seen, unless calls are slow or so much memory is gone that it might not do.
MORE_CALLS = 4
MUCH_BYTES = 64 << 20
#: A leak: every batch leaves at least so much for each of its calls, and so much in all: libraries round up.
LEAST_OBJECTS = (2, 16)
LEAST_BYTES = (64, 512)
#: Bytes a call that count as access to files. Counting CPUs reads a few; a device's driver may wake its own threads.
LEAST_READ = 64
LEAST_WRITTEN = {"cpu": 1, "cuda": 64}
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
        self._grown_bytes = 0
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
        # Whatever was there before need not be collected at every reading: with PyTorch that takes long.
        gc.collect()
        gc.freeze()
        try:
            with Silence() as silence:
                self._watch_batch(calls, silence)
                seen = self._round(calls, silence)
                if seen:
                    # What is no accident happens again, and in more calls more often: a cache of limited size fills
                    # up at some time.
                    few = self._case.last_call_ms >= SLOW_MS or self._grown_bytes >= MUCH_BYTES
                    again = self._round(calls * (1 if few else MORE_CALLS), silence)
                    seen = {key: message for key, message in seen.items() if key in again}
        finally:
            gc.unfreeze()
        if transferred_bytes() is None:
            self._notes.append("file-access was not looked for: /proc/self/io cannot be read")
        return [tamper(detector, None, message) for (detector, _), message in seen.items()]

    def _round(self, calls: int, silence: Silence) -> dict[tuple[str, str], str]:
        names = list(self._read_memory())
        # Made before: what the readings themselves keep must not look like a leak.
        memory = [array.array("q", [0]) * (BATCHES + 1) for _ in names]
        read, written = (array.array("q", [0]) * BATCHES for _ in range(2))
        waited = children_waited_for()
        self._note_memory(memory, 0)
        for batch in range(BATCHES):
            read[batch], written[batch] = self._watch_batch(calls, silence)
            self._note_memory(memory, batch + 1)
        grown = (readings[-1] - readings[0] for name, readings in zip(names, memory) if name != OBJECTS)
        self._grown_bytes = max(grown, default=0)
        seen = {}
        for name, readings in zip(names, memory):
            per_call, per_batch = LEAST_OBJECTS if name == OBJECTS else LEAST_BYTES
            growth = min(after - before for before, after in zip(readings, readings[1:]))
            if growth >= max(per_call * calls, per_batch):
                seen["memory-leaked", name] = f"every call leaves {growth // calls} {name} allocated"
        each = [min(moved) // (calls - 1) for moved in (read, written)]
        if each[0] >= LEAST_READ or each[1] >= LEAST_WRITTEN[self._case.arrays.device_type]:
            message = f"every call reads {each[0]} and writes {each[1]} bytes of files, pipes or sockets"
            seen["file-access", ""] = message
        if children_waited_for() != waited:
            seen["helper-process", ""] = "calls start processes and wait for them"
        return seen

    def _watch_batch(self, calls: int, silence: Silence) -> tuple[int, int]:
        """Bytes that a batch of calls read and wrote, less what it printed."""
        watched, self._case.watched = self._case.watched, None
        printed = silence.printed_bytes()
        # Two looks in a row: what a look itself transfers.
        once, begin = transferred_bytes() or (0, 0), transferred_bytes() or (0, 0)
        for _ in range(calls - 1):
            self._call()
        printed = silence.printed_bytes() - printed
        end = transferred_bytes() or (0, 0)
        # The look at sleep reads files of its own, so that its call is not among those that are counted.
        self._case.watched = watched
        self._call()
        read, written = (after - 2 * before + first for first, before, after in zip(once, begin, end))
        return read, written - printed

    def _read_memory(self) -> dict[str, int]:
        gc.collect()
        return {**self._memory.read(), **self._device_bytes()}

    def _note_memory(self, memory: list[Any], at: int) -> None:
        for readings, value in zip(memory, self._read_memory().values()):
            readings[at] = value

    def _cached(self) -> Findings:
        """New contents against the same again; twice before it counts, since machines are busy at times."""
        found = self._compare_contents()
        return found and self._compare_contents()

    def _compare_contents(self) -> Findings:
        """
        Both prepared in the same way and in turn, the best of each. On a CPU in CPU time as well: another process
        may take the CPU away for long, and does not change that.
        """
        case, buffers = self._case, self._buffers
        fresh, repeated = [], []
        for _ in range(PAIRS if case.last_call_ms < SLOW_MS else PAIRS_WHEN_SLOW):
            patches = buffers.freshen(self._random)
            fresh.append(self._time(patches))
            repeated.append(self._time(patches))
        (fresh_ns, fresh_cpu_ns), (repeated_ns, repeated_cpu_ns) = (map(min, zip(*times)) for times in (fresh, repeated))
        if case.arrays.device_type != "cpu":
            # Waiting for a device need not take CPU time.
            fresh_cpu_ns, repeated_cpu_ns = fresh_ns, repeated_ns
        much_faster = repeated_ns < CACHED_SHARE * fresh_ns and repeated_cpu_ns < CACHED_SHARE * fresh_cpu_ns
        if fresh_ns <= CACHED_LEAST_NS or not much_faster:
            return []
        message = f"contents seen before take {repeated_ns / 1000:.1f} us where new ones take {fresh_ns / 1000:.1f} us"
        return [tamper("cached-result", None, message)]

    def _time(self, patches: Any) -> tuple[int, int]:
        """Wall and CPU time of one call on these contents."""
        case, buffers = self._case, self._buffers
        buffers.apply(patches)
        buffers.poison()
        case.arrays.synchronize()
        begin_ns, begin_cpu_ns = _clock_ns(), _cpu_ns()
        outputs = case.call(buffers)
        taken = (_clock_ns() - begin_ns, _cpu_ns() - begin_cpu_ns)
        poison_returned(case, buffers, outputs)
        return taken

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
