"""What a call must leave as it finds it: environment variables, CPU set, limits, rounding, library settings."""

from __future__ import annotations

import ctypes
import os
import resource
import sys
from typing import Any, Callable

from .guards import tamper

_getcwd, _umask, _affinity = os.getcwd, os.umask, os.sched_getaffinity
_getrlimit = resource.getrlimit

#: Variables that honest libraries set when they are first used: OpenMP's registration, PyTorch's and Triton's
#: compilers, CUDA's way of loading modules.
LIBRARIES_SET = ("__KMP_", "KMP_", "TORCHINDUCTOR_", "TRITON_CACHE", "CUDA_MODULE_LOADING")
LIMITS = ("AS", "CORE", "CPU", "DATA", "FSIZE", "MEMLOCK", "NOFILE", "NPROC", "STACK")
#: A number below the normal range of f32: a product with it is zero where subnormals are flushed.
SUBNORMAL = 1e-40

Snapshot = dict[str, Any]


class EnvironmentWatch:
    """
    Compares with what was before kernel code was imported. What the import of a module may set for itself
    (variables, settings of NumPy and PyTorch) counts only from the first call on.
    """

    def __init__(self, of_device: Callable[[], Snapshot]) -> None:
        self._libc = ctypes.CDLL(None)
        self._of_device = of_device
        self._strict = _process_snapshot(self._libc)
        self._lenient: Snapshot = {}

    def loaded(self) -> None:
        """Kernel code was imported, and has not been called."""
        self._lenient = self._settings()

    def excuse(self, work: Callable[[], Any]) -> Any:
        """Does work of an oracle, whose changes are not the kernel's."""
        strict, lenient = _process_snapshot(self._libc), self._settings()
        try:
            return work()
        finally:
            _rebase(self._strict, strict, _process_snapshot(self._libc))
            _rebase(self._lenient, lenient, self._settings())

    def look(self) -> list[dict[str, str]]:
        changed = [
            *_differences(self._strict, _process_snapshot(self._libc)),
            *_differences(self._lenient, self._settings()),
        ]
        return [tamper("environment-changed", None, f"the kernel changed {'; '.join(changed)}")] if changed else []

    def _settings(self) -> Snapshot:
        return {**_variables(self._libc), **_library_settings(), **self._of_device()}


def _process_snapshot(libc: Any) -> Snapshot:
    mask = _umask(0o77)
    _umask(mask)
    return {
        "the working directory": _getcwd(),
        "the umask": oct(mask),
        "the CPU set": sorted(_affinity(0)),
        "the scheduling class": (os.sched_getscheduler(0), os.getpriority(os.PRIO_PROCESS, 0)),
        "the rounding mode": libc.fegetround(),
        **{f"the limit {name}": _getrlimit(getattr(resource, f"RLIMIT_{name}")) for name in LIMITS},
    }


def _variables(libc: Any) -> Snapshot:
    """As C code sees them: os.environ only knows what Python changed."""
    found = {}
    entries = ctypes.POINTER(ctypes.c_char_p).in_dll(libc, "environ")
    at = 0
    while entries and entries[at] is not None:
        name, _, value = entries[at].decode(errors="replace").partition("=")
        if not name.startswith(LIBRARIES_SET):
            found[f"the variable {name}"] = value
        at += 1
    return found


def _library_settings() -> Snapshot:
    import numpy

    with_subnormals = numpy.float32(SUBNORMAL) * numpy.float32(1)
    found: Snapshot = {
        "how NumPy treats floating-point errors": dict(numpy.geterr()),
        "how subnormal numbers are computed": "kept" if with_subnormals != 0 else "flushed to zero",
    }
    torch = sys.modules.get("torch")
    if torch is None or not hasattr(torch, "get_num_threads"):
        return found
    for name, read in {
        "torch.get_default_dtype": lambda: str(torch.get_default_dtype()),
        "torch.get_num_threads": torch.get_num_threads,
        "torch.get_float32_matmul_precision": torch.get_float32_matmul_precision,
        "torch.are_deterministic_algorithms_enabled": torch.are_deterministic_algorithms_enabled,
        "torch.is_grad_enabled": torch.is_grad_enabled,
        "torch.backends.cuda.matmul.allow_tf32": lambda: torch.backends.cuda.matmul.allow_tf32,
        "torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction": lambda: (
            torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction
        ),
        "torch.backends.cudnn.allow_tf32": lambda: torch.backends.cudnn.allow_tf32,
        "torch.backends.cudnn.benchmark": lambda: torch.backends.cudnn.benchmark,
        "torch.backends.cudnn.deterministic": lambda: torch.backends.cudnn.deterministic,
        "torch.backends.cudnn.enabled": lambda: torch.backends.cudnn.enabled,
    }.items():
        try:
            found[name] = read()
        except Exception as error:  # Settings that contradict each other cannot be read in some versions.
            found[name] = type(error).__name__
    return found


def _differences(before: Snapshot, now: Snapshot) -> list[str]:
    """A setting that could not be seen before (PyTorch was not loaded) is not compared; a variable is."""
    names = [name for name in before if name in now and before[name] != now[name]]
    names += [name for name in before if name not in now and name.startswith("the variable")]
    names += [name for name in now if name not in before and name.startswith("the variable")]
    return [f"{name} from {_text(before.get(name))} to {_text(now.get(name))}" for name in names]


def _rebase(base: Snapshot, before: Snapshot, after: Snapshot) -> None:
    for name in {*before, *after}:
        if before.get(name) != after.get(name):
            if name in after:
                base[name] = after[name]
            else:
                base.pop(name, None)


def _text(value: Any) -> str:
    return "nothing" if value is None else str(value)[:100]
