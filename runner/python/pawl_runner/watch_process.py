"""What this process uses, as the kernel tells it: bytes read and written, memory, threads, children."""

from __future__ import annotations

import ctypes
import os
import re
import resource
import stat
import sys
import time
from dataclasses import dataclass
from typing import Any

# Bound before any kernel code is imported.
_open, _read, _close, _listdir, _readlink = os.open, os.read, os.close, os.listdir, os.readlink
_getrusage, _fstat, _blocks = resource.getrusage, os.fstat, sys.getallocatedblocks
_clock_gettime_ns = time.clock_gettime_ns

#: What honest libraries keep: drivers, OpenMP's registration, what a JIT mapped.
LIBRARIES_KEEP = re.compile(r"nvidia|cuda|/\.nv|__KMP|/dev/(null|zero|u?random)|libomp|iomp|gomp")
#: Compilers of PyTorch keep worker processes, Python a tracker of shared memory; they are idle during calls.
IDLE_HELPERS = ("compile_worker", "resource_tracker", "_inductor")


OBJECTS = "objects of Python"


def read_file(path: str) -> str | None:
    try:
        descriptor = _open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        parts = []
        while part := _read(descriptor, 1 << 16):
            parts.append(part)
        return b"".join(parts).decode(errors="replace")
    except OSError:
        return None
    finally:
        _close(descriptor)


def transferred_bytes() -> tuple[int, int] | None:
    """Bytes that all threads read and wrote so far, this look at them not included."""
    found = dict(re.findall(r"^(\w+): (\d+)$", read_file("/proc/self/io") or "", re.MULTILINE))
    return (int(found["rchar"]), int(found["wchar"])) if "rchar" in found and "wchar" in found else None


def thread_times() -> dict[str, tuple[int, int]] | None:
    """For every thread that is alive: nanoseconds on a CPU, and ready to run without one."""
    found = {}
    for thread in _listdir("/proc/self/task"):
        fields = (read_file(f"/proc/self/task/{thread}/schedstat") or "").split()
        if len(fields) >= 2:
            found[thread] = (_cpu_ns_of(int(thread), int(fields[0])), int(fields[1]))
    return found or None


def _cpu_ns_of(thread: int, at_last_tick: int) -> int:
    """The file of a thread that runs on another CPU is as old as that one's last tick; its clock is not."""
    try:
        # How Linux makes a clock out of a thread's number: inverted, then «per thread» and «time scheduled».
        return _clock_gettime_ns(~thread << 3 | 6)
    except OSError:
        return at_last_tick


def voluntary_switches() -> int:
    return _getrusage(resource.RUSAGE_SELF).ru_nvcsw


def children_waited_for() -> tuple[int, float]:
    """Grows with every child that ended and was waited for."""
    used = _getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_minflt + used.ru_majflt, used.ru_utime + used.ru_stime


@dataclass(frozen=True)
class Child:
    pid: int
    command: str
    cpu_ticks: int


def children() -> list[Child]:
    """Processes whose parent is this one. Orphaned grandchildren are among them (PR_SET_CHILD_SUBREAPER)."""
    own, found = str(os.getpid()), []
    for name in _listdir("/proc"):
        if not name.isdigit():
            continue
        # The command in brackets may hold anything, brackets as well.
        before, _, after = (read_file(f"/proc/{name}/stat") or "").rpartition(")")
        fields = after.split()
        if len(fields) > 12 and fields[1] == own:
            command = (read_file(f"/proc/{name}/cmdline") or "").replace("\0", " ").strip()
            found.append(Child(int(name), command or before.partition("(")[2], int(fields[11]) + int(fields[12])))
    return found


def is_idle_helper(child: Child, before: dict[int, Child]) -> bool:
    known = before.get(child.pid)
    return (
        known is not None
        and known.cpu_ticks == child.cpu_ticks
        and any(name in child.command for name in IDLE_HELPERS)
    )


def kept_files() -> set[str]:
    """Regular files and sockets that are open, and files that are mapped to be shared for writing."""
    found = set()
    for descriptor in _listdir("/proc/self/fd"):
        try:
            mode = _fstat(int(descriptor)).st_mode
            target = _readlink(f"/proc/self/fd/{descriptor}")
        except OSError:
            continue  # The descriptor that lists the folder.
        if stat.S_ISREG(mode) or stat.S_ISSOCK(mode):
            found.add(target)
    for line in (read_file("/proc/self/maps") or "").splitlines():
        fields = line.split(None, 5)
        if len(fields) == 6 and fields[1].startswith("rw") and fields[1].endswith("s"):
            found.add(fields[5])
    return {name for name in found if LIBRARIES_KEEP.search(name) is None}


class MallocInfo(ctypes.Structure):
    """`struct mallinfo2` of glibc 2.33."""

    _fields_ = [
        (name, ctypes.c_size_t)
        for name in (
            *("arena", "ordblks", "smblks", "hblks", "hblkhd"),
            *("usmblks", "fsmblks", "uordblks", "fordblks", "keepcost"),
        )
    ]


class MemoryMeter:
    """What is allocated now, each way of allocating by itself."""

    def __init__(self) -> None:
        self._mallinfo: Any = getattr(ctypes.CDLL(None), "mallinfo2", None)
        if self._mallinfo is not None:
            self._mallinfo.restype = MallocInfo
            self._mallinfo.argtypes = []

    def read(self) -> dict[str, int]:
        # Python's own allocator has blocks of up to 512 bytes, in arenas that malloc does not know.
        found = {OBJECTS: _blocks()}
        if self._mallinfo is not None:
            info = self._mallinfo()
            found["bytes of malloc"] = info.uordblks + info.hblkhd
        size = re.search(r"^VmSize:\s+(\d+) kB$", read_file("/proc/self/status") or "", re.MULTILINE)
        if size is not None:
            found["bytes of address space"] = int(size[1]) * 1024
        return found
