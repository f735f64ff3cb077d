"""The names of the kernels that one call runs on a GPU, as PyTorch's profiler sees them."""

from __future__ import annotations

import inspect
import json
import os
import tempfile
from typing import Any, Callable


def kernels_of(call: Callable[[], Any], arrays: Any) -> dict[str, Any]:
    """`launches`, or a note: a profiler that fails must not fail a check."""
    try:
        launches = _launches(_trace(_quick_profiler, call, arrays)) or _launches(_trace(_profiler, call, arrays))
        return {"launches": launches} if launches else {"notes": ["launches: the profiler saw no kernel run"]}
    except Exception as error:
        reason = str(error).partition("\n")[0]
        return {"notes": [f"launches: the profiler could not look: {type(error).__name__}: {reason}"]}


def _quick_profiler() -> Any:
    """Without torch.profiler, which imports PyTorch's compiler first. Releases before 2.3 see no kernel this way."""
    from torch.autograd.profiler import profile

    has_device = "use_device" in inspect.signature(profile).parameters
    return profile(use_kineto=True, use_cpu=False, **({"use_device": "cuda"} if has_device else {"use_cuda": True}))


def _profiler() -> Any:
    import torch

    return torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA])


def _trace(start: Callable[[], Any], call: Callable[[], Any], arrays: Any) -> Any:
    with start() as profiler:
        call()
        arrays.synchronize()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "trace.json")
        # Grids and blocks are only in the exported form.
        profiler.export_chrome_trace(path)
        with open(path, encoding="utf-8", errors="replace") as file:
            return json.load(file, strict=False)


def _launches(trace: Any) -> list[dict[str, Any]]:
    counted: dict[tuple[Any, ...], int] = {}
    for event in trace.get("traceEvents", []):
        if event.get("cat") != "kernel":
            continue
        given = event.get("args", {})
        extents = [[int(extent) for extent in given.get(name, [])] for name in ("grid", "block")]
        if any(len(extent) != 3 or min(extent) < 1 for extent in extents):
            continue
        key = (event["name"], *map(tuple, extents))
        counted[key] = counted.get(key, 0) + 1
    return [
        {"name": name, "grid": list(grid), "block": list(block), "count": count}
        for (name, grid, block), count in counted.items()
    ]
