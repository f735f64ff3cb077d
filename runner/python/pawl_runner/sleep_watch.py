"""Whether calls spend their time asleep."""

from __future__ import annotations

import threading
import time
from typing import Any, Callable

from .guards import tamper
from .watch_process import thread_times, voluntary_switches

_clock_ns, _cpu_ns, _own_cpu_ns = time.perf_counter_ns, time.process_time_ns, time.thread_time_ns

#: Shorter calls end before a scheduler's tick says anything about them.
SHORTEST_NS = 1_000_000
#: Once may be a page that had to be read.
LEAST_CALLS = 2
#: CPU time that no living thread accounts for: threads ended in the call, and how long they had to wait is unknown.
ENDED_NS = 20_000
#: Calls with such threads count only if all of them do, and are asleep for nearly all of their time.
LEAST_CALLS_WITH_THREADS = 6
ASLEEP_SHARE_WITH_THREADS = 0.9


class SleepWatch:
    """
    A call is asleep when for more than half of its time no thread ran, none was ready to run (on a busy machine
    ready threads wait, too), and it gave up its CPU of itself.
    """

    def __init__(self) -> None:
        self._own = str(threading.get_native_id())
        self._calls = 0
        self._asleep_ns: list[int] = []
        self._with_threads = 0
        self._asleep_with_threads: list[int] = []
        self.blind = thread_times() is None

    def __call__(self, call: Callable[[], Any]) -> Any:
        switches, threads = voluntary_switches(), thread_times() or {}
        used_ns, own_ns, begin_ns = _cpu_ns(), _own_cpu_ns(), _clock_ns()
        result = call()
        wall_ns = _clock_ns() - begin_ns
        own_ns, used_ns = _own_cpu_ns() - own_ns, _cpu_ns() - used_ns
        self._calls += 1
        # The first call may wait for what it loads and compiles.
        if self._calls == 1 or wall_ns < SHORTEST_NS or voluntary_switches() == switches:
            return result
        ran_ns, waited_ns = self._of_living(threads, thread_times() or {})
        asleep_ns = wall_ns - max(used_ns, own_ns + ran_ns) - waited_ns
        if used_ns - own_ns - ran_ns > ENDED_NS:
            self._with_threads += 1
            if asleep_ns > ASLEEP_SHARE_WITH_THREADS * wall_ns:
                self._asleep_with_threads.append(asleep_ns)
        elif asleep_ns > wall_ns / 2:
            self._asleep_ns.append(asleep_ns)
        return result

    def look(self) -> list[dict[str, str]]:
        asleep = list(self._asleep_ns)
        if len(self._asleep_with_threads) >= max(LEAST_CALLS_WITH_THREADS, self._with_threads):
            asleep += self._asleep_with_threads
        if self.blind or len(asleep) < LEAST_CALLS:
            return []
        return [
            tamper(
                "sleeping",
                None,
                f"{len(asleep)} of {self._calls} calls spent more than half of their time asleep, "
                f"up to {max(asleep) / 1e6:.1f} ms",
            )
        ]

    def _of_living(self, before: dict[str, tuple[int, int]], after: dict[str, tuple[int, int]]) -> tuple[int, int]:
        """How long the other threads ran, and all of them waited, since."""
        ran_ns = waited_ns = 0
        for thread, (ran, waited) in after.items():
            ran_before, waited_before = before.get(thread, (0, 0))
            waited_ns += waited - waited_before
            if thread != self._own:
                ran_ns += ran - ran_before
        return ran_ns, waited_ns
