"""Keeps the samples of Triton's do_bench, which it otherwise throws away, in Pawl's format.

    from pawl_triton import Recorder

    with Recorder("samples.json") as recorder:
        for n in (4096, 8192):
            recorder.do_bench(lambda: softmax(x[n]), kernel="softmax", case=f"N={n}", dims={"N": n})

Run the script several times with the same file: every run adds a process, and processes are what a comparison
counts (docs/adapters.md). Nothing but Triton and what it needs itself is imported, and only when it is called.
"""

import json
import math
import os
import tempfile

SCHEMA = "pawl.samples/1"


class Recorder:
    """Gathers series of this process and writes them when the block ends."""

    def __init__(self, path, device=None, commit=None):
        self._path = os.fspath(path)
        self._device = device
        self._commit = commit
        self._before = _read(self._path)
        self._process = 1 + max(
            (
                series.get("process", 0)
                for one in self._before["measurements"]
                for series in one["series"]
            ),
            default=0,
        )
        self._recorded = []

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        # What was measured before a failure is as good as without it.
        if self._recorded:
            self.write()

    def do_bench(self, fn, *, kernel, case, dims=None, variant=None, bench=None, **options):
        """Times `fn` with triton.testing.do_bench and keeps every sample. Returns their median in milliseconds."""
        if bench is None:
            from triton.testing import do_bench as bench

            self._device = self._device or _device()
        return self._bench(bench, fn, "cold", kernel, case, dims, variant, options)

    def do_bench_cudagraph(self, fn, *, kernel, case, dims=None, variant=None, bench=None, **options):
        """The same with do_bench_cudagraph: a sample is the mean over one replay."""
        if bench is None:
            from triton.testing import do_bench_cudagraph as bench

            self._device = self._device or _device()
        return self._bench(bench, fn, "graph", kernel, case, dims, variant, options)

    def _bench(self, bench, fn, mode, kernel, case, dims, variant, options):
        if "quantiles" in options or "return_mode" in options:
            raise ValueError("quantiles and return_mode throw samples away: leave them out")
        times = bench(fn, return_mode="all", **options)
        return self.record(times, kernel=kernel, case=case, dims=dims, variant=variant, mode=mode)

    def record(self, times_ms, *, kernel, case, dims=None, variant=None, mode=None):
        """Keeps samples that were taken by other means, in milliseconds and of this process."""
        times = [float(time) for time in times_ms]
        good = [time for time in times if math.isfinite(time) and time > 0]
        if not good:
            raise ValueError(f"{kernel}/{case}: there is no sample that is a positive number")
        series = {"process": self._process, "samples_ms": good, "timing": "plain"}
        if len(good) != len(times):
            series["notes"] = [f"{len(times) - len(good)} samples were no positive numbers and are left out"]
        one = {"kernel": str(kernel), "case": str(case), "series": [series]}
        if mode is not None:
            one["mode"] = mode
        if dims:
            one["dims"] = {str(name): float(value) for name, value in dims.items()}
        if variant:
            one["variant"] = dict(variant)
        if self._commit is not None:
            one["commit"] = self._commit
        self._recorded.append(one)
        ordered = sorted(good)
        middle = len(ordered) // 2
        return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2

    def write(self):
        """Writes all processes so far: the file is whole at any moment, whatever ends this one."""
        document = {"schema": SCHEMA, "measurements": _joined(self._before["measurements"], self._recorded)}
        device = self._device or self._before.get("device")
        if device is not None:
            known = self._before.get("device")
            if known is not None and known.get("name") != _named(device).get("name"):
                raise ValueError(f"{self._path} is of another device: write to another file")
            document["device"] = _named(device)
        folder = os.path.dirname(os.path.abspath(self._path))
        handle, temporary = tempfile.mkstemp(dir=folder, suffix=".tmp")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(document, file, allow_nan=False, indent=1)
            os.replace(temporary, self._path)
        except BaseException:
            os.unlink(temporary)
            raise


def _read(path):
    try:
        with open(path, encoding="utf-8") as file:
            document = json.load(file)
    except FileNotFoundError:
        return {"measurements": []}
    if document.get("schema") != SCHEMA:
        raise ValueError(f"{path} exists and is not a {SCHEMA} file: choose another name")
    return document


def _key(one):
    return json.dumps([one.get(name) for name in ("kernel", "case", "variant", "mode", "commit")], sort_keys=True)


def _joined(before, recorded):
    """Series of one measurement stay together, in the order of first appearance."""
    by_key = {}
    for one in [*before, *recorded]:
        known = by_key.setdefault(_key(one), {**one, "series": []})
        known["series"] = known["series"] + one["series"]
    return list(by_key.values())


def _named(device):
    return {"name": device} if isinstance(device, str) else device


def _device():
    import torch

    if not torch.cuda.is_available():
        return None
    properties = torch.cuda.get_device_properties(torch.cuda.current_device())
    return {
        "kind": "cuda",
        "name": properties.name,
        "compute_capability": f"{properties.major}.{properties.minor}",
        "sm_count": properties.multi_processor_count,
        "memory_bytes": properties.total_memory,
    }
