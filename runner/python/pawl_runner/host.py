"""This machine's CPU: what it is, how it is now, and the CPUs the kernel may use."""

from __future__ import annotations

import glob
import math
import os
import re
from typing import Any

from . import arm_core
from .failure import Failure

# Instruction sets that kernels are written for; others are noise in a fingerprint.
FEATURES = (
    *("sse4_2", "avx", "avx2", "fma", "f16c", "avx512f", "avx512bw", "avx512vl", "avx512_vnni", "avx512_bf16"),
    *("avx512_fp16", "avx_vnni", "amx_tile", "amx_bf16", "amx_int8", "asimd", "asimdhp", "sve", "sve2", "bf16"),
)
# _SC_LEVEL1_DCACHE_SIZE and so on: glibc has them, Python has no names for them.
SYSCONF_CACHES = {"l1d": 188, "l2": 191, "l3": 194}

ALLOWED_CPUS = sorted(os.sched_getaffinity(0))


def pin(threads: int) -> list[int]:
    """Pins the process to that many CPUs, the highest numbers first: CPU 0 serves most interrupts."""
    if threads > len(ALLOWED_CPUS):
        raise Failure(
            "unsupported",
            f"{threads} threads were asked for, and this process may use {len(ALLOWED_CPUS)} CPUs",
        )
    cpus = ALLOWED_CPUS[-threads:]
    os.sched_setaffinity(0, cpus)
    # Read by OpenBLAS, MKL and OpenMP when they are loaded, which is after this.
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[name] = str(threads)
    return cpus


def info(cpus: list[int]) -> dict[str, Any]:
    described = _read("/proc/cpuinfo") or ""
    found = dict(re.findall(r"^([\w ]+?)\s*: (.*)$", described, re.MULTILINE))
    flags = (found.get("flags") or found.get("Features") or "").split()
    memory_bytes = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    caches = cache_sizes(cpus[0])
    return {
        "kind": "cpu",
        "name": _name(found),
        "index": 0,
        "cores": os.cpu_count() or len(cpus),
        "memory_bytes": memory_bytes,
        **{f"{level}_bytes": size for level, size in caches.items()},
        "cpus": cpus,
        "features": [flag for flag in FEATURES if flag in flags],
    }


def _name(described: dict[str, str]) -> str:
    if "model name" in described:
        return described["model name"]
    if "CPU implementer" in described and "CPU part" in described:
        return arm_core.name(described["CPU implementer"], described["CPU part"])
    return os.uname().machine


def cache_sizes(cpu: int) -> dict[str, int]:
    """Data cache sizes in bytes by level, where the machine tells them."""
    sizes = {}
    for folder in _cache_folders(cpu):
        level, kind, size = (_read(f"{folder}/{name}") for name in ("level", "type", "size"))
        name = {"1": "l1d", "2": "l2", "3": "l3"}.get(level or "")
        amount = re.fullmatch(r"(\d+)([KM]?)", size or "")
        if name is not None and amount is not None and kind != "Instruction":
            sizes[name] = int(amount[1]) * {"": 1, "K": 1024, "M": 1024**2}[amount[2]]
    for name, number in SYSCONF_CACHES.items():
        try:
            found = os.sysconf(number)
        except (OSError, ValueError):
            continue
        if found > 0:
            sizes.setdefault(name, found)
    return sizes


def cores_sharing_l3(cpu: int) -> int:
    for folder in _cache_folders(cpu):
        if _read(f"{folder}/level") == "3":
            listed = _read(f"{folder}/shared_cpu_list") or str(cpu)
            spans = [span.split("-") for span in listed.split(",")]
            return sum(int(span[-1]) - int(span[0]) + 1 for span in spans)
    return os.cpu_count() or 1


def state(cpus: list[int]) -> dict[str, Any]:
    found: dict[str, Any] = {"load_average": os.getloadavg()[0]}
    zones = [
        _read(f"{zone}/temp")
        for zone in glob.glob("/sys/class/thermal/thermal_zone*")
        if re.search("pkg|cpu", _read(f"{zone}/type") or "")
    ]
    # sysfs has millidegrees.
    temperatures = [int(text) / 1000 for text in zones if text is not None and re.fullmatch(r"-?\d+", text)]
    if temperatures:
        found["temperature_c"] = max(temperatures)
    clocks = re.findall(r"^cpu MHz\s*: ([\d.]+)$", _read("/proc/cpuinfo") or "", re.MULTILINE)
    if cpus[0] < len(clocks):
        found["sm_clock_mhz"] = float(clocks[cpus[0]])
    return found


def memory_peak_bytes() -> int | None:
    peak = re.search(r"^VmHWM:\s+(\d+) kB$", _read("/proc/self/status") or "", re.MULTILINE)
    return int(peak[1]) * 1024 if peak else None


def memory_available_bytes() -> float:
    available = re.search(r"^MemAvailable:\s+(\d+) kB$", _read("/proc/meminfo") or "", re.MULTILINE)
    return int(available[1]) * 1024 if available else math.inf


def _cache_folders(cpu: int) -> list[str]:
    return glob.glob(f"/sys/devices/system/cpu/cpu{cpu}/cache/index*")


def _read(path: str) -> str | None:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read().strip()
    except OSError:
        return None
