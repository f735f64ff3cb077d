"""The CPU: NumPy arrays (or PyTorch tensors, where the module asks for them) and the steady clock."""

from __future__ import annotations

import gc
import importlib.metadata
import math
import platform
import time
from typing import Any, Callable

from . import host
from .cache_evictor import CacheEvictor
from .case import BufferSet, Case
from .failure import Failure, missing_module, text_of
from .python_function import PythonFunction
from .timed_guard import TimedGuard

# Bound before any kernel code is imported: a kernel that patches `time` does not change its own timing.
_clock_ns = time.perf_counter_ns
_tick_ns = time.get_clock_info("perf_counter").resolution * 1e9

#: A call shorter than this is timed in batches in hot mode (docs/protocol.md).
SHORTEST_NS = max(20_000.0, 1000 * _tick_ns)
#: Eviction empties the caches; a few sets keep a kernel from recognising its buffers by address.
MOST_SETS = 4


class HostDevice:
    modes = ("cold", "hot")

    def __init__(self, threads: int) -> None:
        self._cpus = host.pin(threads)
        try:
            import numpy  # noqa: F401  (after the pinning, which says how many threads it may use)
        except ModuleNotFoundError as error:
            raise missing_module(error.name or "numpy", "the Python runner") from error
        self._evictor = CacheEvictor(self._cpus)
        self._next_set = 0
        self._batch = 0

    def info(self) -> dict[str, Any]:
        return host.info(self._cpus)

    def state(self) -> dict[str, Any]:
        return host.state(self._cpus)

    def versions(self, function: PythonFunction) -> dict[str, str]:
        names = ("numpy", "torch") if function.framework == "torch" else ("numpy",)
        return {"python": platform.python_version(), **{name: importlib.metadata.version(name) for name in names}}

    def settings(self) -> dict[str, Any]:
        """The CPU set is the process's, which is watched as that."""
        return {}

    def memory_used(self) -> dict[str, int]:
        return {}

    def launches(self, call: Callable[[], Any]) -> dict[str, Any]:
        """Functions that run on a CPU have no launches."""
        return {}

    def arrays(self, function: PythonFunction, sanitized: bool) -> Any:
        if function.framework != "torch":
            from .arrays_numpy import NumpyArrays

            return NumpyArrays()
        try:
            import torch
        except ModuleNotFoundError as error:
            raise missing_module(error.name or "torch", f"the kernel {function.name}") from error
        from .arrays_torch import TorchArrays

        torch.set_grad_enabled(False)
        torch.set_num_threads(len(self._cpus))
        return TorchArrays("cpu", 0) if sanitized else TorchArrays("cpu")

    def set_count(self, bytes_per_set: int, asked: int | None) -> int:
        """How many buffer sets to rotate among. Refuses what does not fit: Linux would end the process for it."""
        # Every input is kept twice (NumpyTensor.fill), so that a change of it is seen.
        needed = 2 * max(1, bytes_per_set)
        available = host.memory_available_bytes()
        if needed * (asked or 1) > available:
            raise Failure(
                "out-of-memory", f"{needed * (asked or 1)} bytes were asked for and {available} are free"
            )
        wanted = min(MOST_SETS, self._evictor.nbytes // needed + 2, int(min(available, 1 << 50)) // 4 // needed)
        return asked or max(1, wanted)

    def forget_case(self) -> None:
        self._next_set = 0
        self._batch = 0

    def classify(self, error: BaseException) -> Failure | None:
        return Failure("out-of-memory", text_of(error)) if isinstance(error, MemoryError) else None

    def profile(self, case: Case, launches: int) -> None:
        case.ready(case.sets[0])
        try:
            for _ in range(launches):
                case.sets[0].call()
        except BaseException as error:
            raise case.failed(error) from error

    def sample(
        self, case: Case, mode: str, count: int, budget_ms: float, timing: str, guard: TimedGuard
    ) -> dict[str, Any]:
        if mode == "graph":
            raise Failure("unsupported", "a CPU has no graphs: the modes are cold and hot")
        deadline_ns = _clock_ns() + budget_ms * 1e6
        for buffers in case.sets if mode == "cold" else case.sets[:1]:
            case.ready(buffers)
        gc.collect()
        gc.disable()
        try:
            if mode == "hot" and self._batch == 0:
                self._batch = self._measure_batch(case.sets[0])
            batch = self._batch if mode == "hot" else 1
            guard.judge_batches(batch)
            times_ns = self._take(case, mode, count, deadline_ns, batch, guard)
        except BaseException as error:
            raise case.failed(error) from error
        finally:
            guard.settle()
            gc.enable()
        return {
            "samples_ms": [time_ns / batch / 1e6 for time_ns in times_ns],
            "batch": batch,
            "timing": "host",
            **guard.finish(),
            "notes": [*(self._evictor.notes if mode == "cold" else []), *guard.notes],
            "state": self.state(),
            **_known("memory_peak_bytes", host.memory_peak_bytes()),
            "timed_ms": sum(times_ns) / 1e6,
        }

    def _take(
        self, case: Case, mode: str, count: int, deadline_ns: float, batch: int, guard: TimedGuard
    ) -> list[int]:
        times_ns: list[int] = []
        at = 0
        repeats = range(batch)
        while len(times_ns) < count and (not times_ns or _clock_ns() < deadline_ns):
            if mode == "cold":
                at = self._next_set = (self._next_set + 1) % len(case.sets)
            guard.before(at, hot=mode == "hot")
            if mode == "cold":
                self._evictor.evict()
            call = case.sets[at].call
            result = None
            begin_ns = _clock_ns()
            for _ in repeats:
                result = call()
            times_ns.append(max(1, _clock_ns() - begin_ns))
            guard.after(at, result)
            del result
        return times_ns

    def _measure_batch(self, buffers: BufferSet) -> int:
        """How many calls one hot sample takes: one, or as many as fill the shortest interval worth timing."""
        buffers.call()
        fastest_ns = math.inf
        for _ in range(3):
            begin_ns = _clock_ns()
            buffers.call()
            fastest_ns = min(fastest_ns, max(1, _clock_ns() - begin_ns))
        return max(1, math.ceil(SHORTEST_NS / fastest_ns))


def _known(name: str, value: Any) -> dict[str, Any]:
    return {} if value is None else {name: value}
