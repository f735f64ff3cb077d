"""What is watched from before kernel code is imported."""

from __future__ import annotations

from typing import Any, Callable

from .audit import Audit
from .watch_environment import EnvironmentWatch
from .watch_process import kept_files
from .watch_timers import TimerWatch


class Watches:
    def __init__(self, device: Any) -> None:
        self.timers = TimerWatch()
        self.environment = EnvironmentWatch(device.settings)
        self._files: set[str] = set()

    def loaded(self) -> None:
        """Kernel code was imported, and has not been called."""
        self.environment.loaded()
        self._files = kept_files()

    def excuse(self, work: Callable[[], Any]) -> Any:
        """Does work of an oracle, whose changes are not the kernel's."""
        before = kept_files()
        try:
            return self.environment.excuse(work)
        finally:
            self._files |= kept_files() - before

    def audit(self, device: Any) -> Audit:
        return Audit(self.environment, self._files, device.memory_used, device.launches)


class ExcusedOracle:
    """An oracle whose first calls may set up libraries: that is not the kernel's doing."""

    def __init__(self, load: Callable[[], Any], watches: Watches) -> None:
        self._oracle = watches.excuse(load)
        self._watches = watches
        self._used: set[str] = set()
        self.name = self._oracle.name
        self.has_reference = self._oracle.has_reference

    def compute(self, *given: Any) -> Any:
        return self._first("compute", given)

    def refer(self, *given: Any) -> Any:
        return self._first("refer", given)

    def _first(self, name: str, given: Any) -> Any:
        work = getattr(self._oracle, name)
        if name in self._used:
            return work(*given)
        self._used.add(name)
        return self._watches.excuse(lambda: work(*given))
