"""CUDA through PyTorch: its tensors and its stream, timed by Pawl's own timer."""

from __future__ import annotations

import gc
import importlib.metadata
import math
import platform
import time
from typing import Any, Callable

from .case import Case
from .cuda_timer import BLOCK, FLUSH_L2, CudaTimer, Timing
from .failure import Failure, missing_module, text_of
from .guards import tamper
from .python_function import PythonFunction
from .timed_guard import TimedGuard

_clock_ns = time.perf_counter_ns
_sleep = time.sleep

#: Launches in a hot or graph sample: as many as fill 1 ms, few enough for the launch queue (about 1,000
#: kernels) whatever number of kernels one call launches.
MOST_BATCH = 50
BATCH_MS = 1.0
MOST_SETS = 256
LEAST_MS = 1e-6
THROTTLE_POLL_NS = 5_000_000
#: The device counts as busy after the stream was done when it is for longer than this, and for this part of the
#: interval; beyond what looking takes.
BUSY_NS = 30_000
BUSY_SHARE = 0.1
#: Looking takes a time of its own, 35 us on some machines. What is still found after a rest in which other work ends
#: is that; but no machine needs longer than the last of these to find an idle device idle.
RESTED = 5
REST_S = 0.005
LONGEST_LOOK_NS = 100_000
WAITS = "the kernel waits for the device inside its call: timed without the blocking kernel, launch latency included"


class CudaDevice:
    modes = ("cold", "hot", "graph")

    def __init__(self, index: int, timer_library: str) -> None:
        try:
            import numpy  # noqa: F401  (comparisons are made with it)
            import torch
        except ModuleNotFoundError as error:
            raise missing_module(error.name or "torch", "the Python runner on CUDA") from error
        if not torch.cuda.is_available() or index >= torch.cuda.device_count():
            raise Failure("device-error", f"PyTorch {torch.__version__} finds no CUDA device {index}")
        self._torch = torch
        self._index = index
        torch.set_grad_enabled(False)
        torch.cuda.set_device(index)
        # Not the legacy stream: work on that waits for, and holds up, every other stream.
        self._stream = torch.cuda.Stream(index)
        torch.cuda.set_stream(self._stream)
        self._timer = CudaTimer(timer_library, index)
        self._has_throttle = "throttle_mask" in self._timer.device_state()
        self.forget_case()

    def info(self) -> dict[str, Any]:
        return {"kind": "cuda", "index": self._index, **self._timer.device_info()}

    def state(self) -> dict[str, Any]:
        return self._timer.device_state()

    def versions(self, function: PythonFunction) -> dict[str, str]:
        torch = self._torch
        found = {"python": platform.python_version(), "torch": torch.__version__, "cuda": torch.version.cuda}
        if torch.backends.cudnn.is_available():
            found["cudnn"] = torch.backends.cudnn.version()
        for name in ("numpy", "triton"):
            try:
                found[name] = importlib.metadata.version(name)
            except importlib.metadata.PackageNotFoundError:
                pass  # Absent is what its absence is told by.
        return {name: str(version) for name, version in found.items()}

    def settings(self) -> dict[str, Any]:
        """What a call must leave as it was: where the next one would run."""
        torch = self._torch
        return {
            "the current device": torch.cuda.current_device(),
            "the current stream": torch.cuda.current_stream().cuda_stream,
        }

    def memory_used(self) -> dict[str, int]:
        """What PyTorch handed out, and what was taken from the driver without it."""
        torch = self._torch
        free_bytes, total_bytes = torch.cuda.mem_get_info(self._index)
        return {
            "bytes of PyTorch's device memory": torch.cuda.memory_allocated(self._index),
            "bytes of device memory": total_bytes - free_bytes - torch.cuda.memory_reserved(self._index),
        }

    def launches(self, call: Callable[[], Any]) -> dict[str, Any]:
        from .kernel_names import kernels_of

        return kernels_of(call, self._torch, self._index)

    def arrays(self, function: PythonFunction, sanitized: bool) -> Any:
        from .arrays_torch import TorchArrays

        if function.framework == "numpy":
            raise Failure("unsupported", f"{function.name} takes NumPy arrays, which CUDA devices do not have")
        # Under a sanitizer tensors end where their memory ends, so that it sees the first byte outside.
        return TorchArrays(f"cuda:{self._index}", 0) if sanitized else TorchArrays(f"cuda:{self._index}")

    def set_count(self, bytes_per_set: int, asked: int | None) -> int:
        """Enough sets that none is still in the L2 when its turn comes again, in at most half of the free memory."""
        if asked is not None:
            return asked
        free_bytes, _ = self._torch.cuda.mem_get_info(self._index)
        l2_bytes = self._timer.device_info().get("l2_bytes", 0)
        wanted = math.ceil(5 * l2_bytes / max(1, bytes_per_set)) + 1
        return max(1, min(wanted, MOST_SETS, free_bytes // 2 // max(1, bytes_per_set)))

    def forget_case(self) -> None:
        self._graph: Any = None
        self._batches: dict[str, int] = {}
        self._next_set = 0
        #: Modes in which the kernel was seen to wait for the device.
        self._waits: set[str] = set()
        self._time_outs = 0
        gc.collect()
        # What PyTorch keeps for later counts as taken when the sets of the next case are counted.
        self._torch.cuda.empty_cache()

    def classify(self, error: BaseException) -> Failure | None:
        torch = self._torch
        if isinstance(error, torch.cuda.OutOfMemoryError):
            return Failure("out-of-memory", str(error).partition("\n")[0])
        if not isinstance(error, RuntimeError) or "CUDA" not in str(error):
            return None
        try:
            torch.cuda.synchronize(self._index)
        except RuntimeError:
            return Failure("device-lost", text_of(error).partition("\n")[0])
        if "CUDA error" in str(error) or "[CUDA]" in str(error):
            return Failure("device-error", text_of(error).partition("\n")[0])
        return None

    def profile(self, case: Case, launches: int) -> None:
        torch = self._torch
        case.ready(case.sets[0])
        call = case.sets[0].call
        try:
            call()
            torch.cuda.synchronize(self._index)
            torch.cuda.check_error(torch.cuda.cudart().cudaProfilerStart())
            for _ in range(launches):
                call()
            torch.cuda.synchronize(self._index)
            torch.cuda.check_error(torch.cuda.cudart().cudaProfilerStop())
        except BaseException as error:
            raise case.failed(error) from error

    def sample(
        self, case: Case, mode: str, count: int, budget_ms: float, timing: str, guard: TimedGuard
    ) -> dict[str, Any]:
        deadline_ns = _clock_ns() + budget_ms * 1e6
        for buffers in case.sets if mode == "cold" else case.sets[:1]:
            case.ready(buffers)
        self._warm_up(case, mode)
        guard.judge_batches(self._batches.get(mode, 1))
        self._timer.reset_l2()
        gc.collect()
        gc.disable()
        try:
            taken = self._take(case, mode, count, deadline_ns, timing == "blocked", guard)
        except BaseException as error:
            raise case.failed(error) from error
        finally:
            guard.settle()
            gc.enable()
        batch = self._batches.get(mode, 1)
        clocks = [one.clock_mhz for one in taken.timings]
        guarded = guard.finish()
        return {
            # An empty call may end within one tick of the event clock, and yet takes some time.
            "samples_ms": [max(one.ms, LEAST_MS) / batch for one in taken.timings],
            **({"clock_mhz": clocks} if all(clock > 0 for clock in clocks) else {}),
            **({"throttle_masks": taken.masks} if self._has_throttle else {}),
            "batch": batch,
            "timing": "blocked" if taken.blocked else "plain",
            **guarded,
            "notes": [*([WAITS] if mode in self._waits else []), *guard.notes],
            "tampering": [*guarded["tampering"], *(self._work_elsewhere(case, mode, taken) if guard.guarded else [])],
            "state": self.state(),
            "memory_peak_bytes": self._torch.cuda.max_memory_reserved(self._index),
            "timed_ms": sum(one.ms for one in taken.timings),
        }

    def _take(
        self, case: Case, mode: str, count: int, deadline_ns: float, blocked: bool, guard: TimedGuard
    ) -> _Taken:
        blocked = blocked and mode not in self._waits
        flags = (BLOCK if blocked else 0) | (FLUSH_L2 if mode == "cold" else 0)
        taken = _Taken(self._timer, blocked)
        at = 0
        while len(taken.timings) < count and (not taken.timings or _clock_ns() < deadline_ns):
            result = None
            if mode == "cold":
                at = self._next_set = (self._next_set + 1) % len(case.sets)
            # Frees the last result first, so that the call finds its memory in PyTorch's cache.
            guard.before(at, hot=mode != "cold")
            timing, result = self._interval(self._launch(case, mode, at), flags)
            if timing.timed_out and blocked:
                # Once is chance (this process was not scheduled for 100 ms); twice in a row is the kernel.
                self._time_outs += 1
                if self._time_outs < 2:
                    continue
                self._hold_less(mode)
                guard.restart()
                return self._take(case, mode, count, deadline_ns, blocked, guard)
            self._time_outs = 0
            if guard.after(at, result):
                # The copy is work of the runner's, on the stream that is timed.
                self._stream.synchronize()
            taken.add(timing, self._still_busy_ns())
        taken.poll()
        return taken

    def _work_elsewhere(self, case: Case, mode: str, taken: _Taken) -> list[dict[str, str]]:
        """Accuses nobody before it is known what looking costs on this machine, at this moment."""
        if not taken.work_elsewhere(0):
            return []
        flags = (BLOCK if taken.blocked else 0) | (FLUSH_L2 if mode == "cold" else 0)
        looks_ns = []
        for _ in range(RESTED):
            try:
                self._interval(self._launch(case, mode, 0), flags)
            except BaseException as error:
                raise case.failed(error) from error
            _sleep(REST_S)
            looks_ns.append(self._still_busy_ns())
        return taken.work_elsewhere(min(sorted(looks_ns)[RESTED // 2], LONGEST_LOOK_NS))

    def _still_busy_ns(self) -> int:
        """How long the device goes on when the stream that is timed has nothing left to do."""
        begin_ns = _clock_ns()
        self._torch.cuda.synchronize(self._index)
        done_ns = _clock_ns()
        # Again with nothing to wait for: what the waiting itself costs on this machine, at this moment.
        self._torch.cuda.synchronize(self._index)
        return (done_ns - begin_ns) - (_clock_ns() - done_ns)

    def _interval(self, launch: Callable[[], Any], flags: int) -> tuple[Timing, Any]:
        stream = self._stream.cuda_stream
        self._timer.begin(stream, flags)
        try:
            result = launch()
        finally:
            timing = self._timer.end(stream)
        return timing, result

    def _launch(self, case: Case, mode: str, at: int) -> Callable[[], Any]:
        if mode == "graph":
            return self._replay
        batch = self._batches.get(mode, 1)
        call = case.sets[at].call
        return call if batch == 1 else lambda: _repeat(call, batch)

    def _hold_less(self, mode: str) -> None:
        """After time-outs: the batch overfilled the launch queue or, if it was one call, the call itself waits."""
        self._time_outs = 0
        if mode == "hot" and self._batches.get(mode, 1) > 1:
            self._batches[mode] = 1
        else:
            self._waits.add(mode)

    def _warm_up(self, case: Case, mode: str) -> None:
        """
        Loads modules, fills PyTorch's memory cache (a capture empties it) and sizes batches: all of that may
        wait for the device, which must not happen behind the blocking kernel.
        """
        if mode == "graph" and self._graph is not None:
            return
        call = case.sets[0].call
        try:
            # Two calls in a row hold two results for a moment, as the calls of a batch do.
            case.sets[0].returned(_repeat(call, 2))
            self._torch.cuda.synchronize(self._index)
            if mode != "cold" and mode not in self._batches:
                fastest_ms = min(self._interval(call, 0)[0].ms for _ in range(3))
                self._batches[mode] = max(1, min(MOST_BATCH, math.ceil(BATCH_MS / max(fastest_ms, LEAST_MS))))
        except BaseException as error:
            raise case.failed(error) from error
        if mode == "graph":
            self._capture(case, self._batches[mode])

    def _capture(self, case: Case, batch: int) -> None:
        torch = self._torch
        graph = torch.cuda.CUDAGraph()
        try:
            with torch.cuda.graph(graph, stream=self._stream, capture_error_mode="thread_local"):
                result = _repeat(case.sets[0].call, batch)
            graph.replay()
            torch.cuda.synchronize(self._index)
        except BaseException as error:
            failure = case.failed(error)
            if failure.code == "device-lost":
                raise failure from error
            raise Failure("unsupported", f"the call cannot be captured into a graph: {failure.message}") from error
        finally:
            # torch.cuda.graph restores the stream it found, which after a failed capture need not be ours.
            torch.cuda.set_stream(self._stream)
        self._graph = (graph, result)

    def _replay(self) -> Any:
        graph, result = self._graph
        graph.replay()
        return result


class _Taken:
    """Samples as they come, each with the throttle reasons seen around it."""

    def __init__(self, timer: CudaTimer, blocked: bool) -> None:
        self.blocked = blocked
        self.timings: list[Timing] = []
        self.masks: list[int] = []
        self._busy_ns: list[int] = []
        self._timer = timer
        self._polled_ns = _clock_ns()
        self._mask = timer.throttle_mask()
        self._unseen = 0

    def add(self, timing: Timing, busy_ns: int) -> None:
        self.timings.append(timing)
        self.masks.append(self._mask)
        self._busy_ns.append(busy_ns)
        if _clock_ns() - self._polled_ns > THROTTLE_POLL_NS:
            self.poll()

    def work_elsewhere(self, looking_ns: float) -> list[dict[str, str]]:
        """Work that outlives the interval in most of the repetitions: once may be chance."""
        late = [
            busy_ns - looking_ns
            for busy_ns, timing in zip(self._busy_ns, self.timings)
            if busy_ns - looking_ns > max(BUSY_NS, BUSY_SHARE * timing.ms * 1e6)
        ]
        if len(late) < 2 or 2 * len(late) <= len(self.timings):
            return []
        typical_us = sorted(late)[len(late) // 2] / 1000
        return [
            tamper(
                "work-elsewhere",
                None,
                f"the device was busy for another {typical_us:.0f} us after the stream that is timed was done, "
                f"in {len(late)} of {len(self.timings)} repetitions",
            )
        ]

    def poll(self) -> None:
        self._mask = self._timer.throttle_mask()
        self._polled_ns = _clock_ns()
        for index in range(self._unseen, len(self.masks)):
            self.masks[index] |= self._mask
        self._unseen = len(self.masks)


def _repeat(call: Callable[[], Any], times: int) -> Any:
    result = None
    for _ in range(times):
        result = call()
    return result
