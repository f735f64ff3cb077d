"""Variants of a project as settings of a Triton kernel, for the wrappers that `pawl adopt` writes."""

from __future__ import annotations

import copy
from types import ModuleType
from typing import Any

#: What a configuration has beside the kernel's own parameters.
OPTIONS = ("num_warps", "num_stages", "num_ctas", "maxnreg")


def tuned(module: ModuleType, name: str) -> "TunedKernel | TunedLaunch":
    """The kernel of this name, whose settings `use` says from now on."""
    kernel = getattr(module, name)
    autotuner = kernel
    while autotuner is not None and not hasattr(autotuner, "configs"):
        autotuner = getattr(autotuner, "fn", None)
    if autotuner is not None:
        return TunedKernel(autotuner)
    launch = TunedLaunch(kernel)
    # Its callers find it under its name.
    setattr(module, name, launch)
    return launch


class TunedKernel:
    """A kernel with `triton.autotune`: it has one configuration at a time, and so tunes nothing itself."""

    def __init__(self, autotuner: Any) -> None:
        self._autotuner = autotuner
        self._all = list(autotuner.configs)
        self._chosen: dict[tuple[Any, ...], Any] = {}
        self._now: tuple[Any, ...] | None = None

    def use(self, **values: Any) -> None:
        """With the configuration that has these values; one that is not listed is the first with these changed."""
        key = tuple(values.items())
        if key == self._now:
            return
        if key not in self._chosen:
            self._chosen[key] = self._find(values)
        self._autotuner.configs = [self._chosen[key]]
        # What was chosen for a shape before.
        getattr(self._autotuner, "cache", {}).clear()
        self._now = key

    def _find(self, values: dict[str, Any]) -> Any:
        for config in self._all:
            if all(_value(config, name) == value for name, value in values.items()):
                return config
        made = copy.copy(self._all[0])
        made.kwargs = dict(made.kwargs)
        for name, value in values.items():
            if name in OPTIONS:
                setattr(made, name, value)
            else:
                made.kwargs[name] = value
        return made


class TunedLaunch:
    """A kernel without: its launches get these keywords in the place of their own."""

    def __init__(self, kernel: Any) -> None:
        self._kernel = kernel
        self._values: dict[str, Any] = {}

    def use(self, **values: Any) -> None:
        self._values = values

    def __getitem__(self, grid: Any) -> Any:
        launch = self._kernel[grid]
        return lambda *arguments, **keywords: launch(*arguments, **{**keywords, **self._values})

    def __getattr__(self, name: str) -> Any:
        return getattr(self._kernel, name)


def _value(config: Any, name: str) -> Any:
    return getattr(config, name, None) if name in OPTIONS else config.kwargs.get(name)
