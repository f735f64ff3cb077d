"""Whether functions that read the time are still the ones they were before kernel code was imported."""

from __future__ import annotations

import sys
import time
from typing import Any

from .guards import tamper

CLOCKS = (
    *("time", "time_ns", "perf_counter", "perf_counter_ns", "monotonic", "monotonic_ns", "process_time"),
    *("process_time_ns", "thread_time", "thread_time_ns", "clock_gettime", "clock_gettime_ns", "sleep"),
)
EVENT = ("elapsed_time", "record", "synchronize", "query", "wait")


class TimerWatch:
    """The runner itself is not fooled, since it holds the functions it uses; whoever replaces them meant to."""

    def __init__(self) -> None:
        self._watched = [("time", time, name) for name in CLOCKS]
        torch = sys.modules.get("torch")
        if torch is not None:
            cuda = torch.cuda
            self._watched += [("torch.cuda.Event", cuda.Event, name) for name in EVENT]
            self._watched += [("torch.cuda", cuda, "Event"), ("torch.cuda", cuda, "synchronize")]
            self._watched += [("torch.cuda.Stream", cuda.Stream, "synchronize")]
        self._originals = [getattr(owner, name, None) for _, owner, name in self._watched]

    def look(self) -> list[dict[str, Any]]:
        replaced = [
            f"{place}.{name}"
            for (place, owner, name), original in zip(self._watched, self._originals)
            if getattr(owner, name, None) is not original
        ]
        if not replaced:
            return []
        return [tamper("timer-tampered", None, f"kernel code replaced {', '.join(replaced)}")]
