"""Whether calls spend their time asleep."""

from __future__ import annotations

import time
from typing import Any, Callable

from .guards import tamper
from .watch_process import voluntary_switches, waiting_ns

_clock_ns, _cpu_ns = time.perf_counter_ns, time.process_time_ns

#: Shorter calls end before a scheduler's tick says anything about them.
SHORTEST_NS = 1_000_000
#: Once may be a page that had to be read.
LEAST_CALLS = 2


class SleepWatch:
    """
    A call is asleep when for more than half of its time no thread ran, none was ready to run (on a busy machine
    ready threads wait, too), and it gave up its CPU of itself.
    """

    def __init__(self) -> None:
        self._calls = 0
        self._asleep_ns: list[int] = []
        self.blind = waiting_ns() is None

    def __call__(self, call: Callable[[], Any]) -> Any:
        switches, waited_ns, used_ns = voluntary_switches(), waiting_ns() or 0, _cpu_ns()
        begin_ns = _clock_ns()
        result = call()
        wall_ns = _clock_ns() - begin_ns
        busy_ns = _cpu_ns() - used_ns + (waiting_ns() or 0) - waited_ns
        self._calls += 1
        # The first call may wait for what it loads and compiles.
        if self._calls > 1 and wall_ns > SHORTEST_NS and busy_ns < wall_ns / 2 and voluntary_switches() > switches:
            self._asleep_ns.append(wall_ns - max(0, busy_ns))
        return result

    def look(self) -> list[dict[str, str]]:
        if self.blind or len(self._asleep_ns) < LEAST_CALLS:
            return []
        longest_ms = max(self._asleep_ns) / 1e6
        return [
            tamper(
                "sleeping",
                None,
                f"{len(self._asleep_ns)} of {self._calls} calls spent more than half of their time asleep, "
                f"up to {longest_ms:.1f} ms",
            )
        ]
