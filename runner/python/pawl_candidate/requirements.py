"""
What a candidate needs of Python's frameworks. This is the only place that says so: candidates refuse by it, and
`pawl doctor` runs this file, `python3 requirements.py gpu|no-gpu`, to say the same beforehand.
"""

from __future__ import annotations

import re

#: On a GPU `torch.cuda.graph(capture_error_mode=…)`, which is younger than 2.0; on a CPU what Debian 12 has.
LEAST_TORCH = {"gpu": (2, 1), "no-gpu": (1, 13)}


def torch_problem(version: str, where: str) -> str | None:
    """Why this PyTorch cannot be used there, or None."""
    found = re.match(r"(\d+)\.(\d+)", version)
    if found is None or (int(found[1]), int(found[2])) >= LEAST_TORCH[where]:
        return None
    least = ".".join(str(part) for part in LEAST_TORCH[where])
    place = " on a GPU" if where == "gpu" else ""
    return f"PyTorch {version} is too old for Pawl, which needs {least} or later{place}"


def _facts(where: str) -> dict[str, object]:
    """From package metadata, which costs nothing."""
    import importlib.metadata as metadata
    import importlib.util
    import os
    import sys
    import sysconfig

    modules = {}
    for name in ("numpy", "torch", "triton"):
        try:
            modules[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            pass
    problems = {}
    if "torch" in modules:
        problem = torch_problem(modules["torch"], where)
        if problem is None and "numpy" not in modules:
            problem = "PyTorch kernels need NumPy beside PyTorch"
        if problem is not None:
            problems["torch"] = problem
    marker = os.path.join(sysconfig.get_path("stdlib"), "EXTERNALLY-MANAGED")
    return {
        "modules": modules,
        "problems": problems,
        "pip": importlib.util.find_spec("pip") is not None,
        "externally_managed": sys.prefix == sys.base_prefix and os.path.exists(marker),
    }


def _main(where: str) -> None:
    import json

    facts = _facts(where)
    print(json.dumps(facts), flush=True)
    # Seconds: in a line of its own, and only where there is a GPU to ask about. A time-out leaves the first line.
    if "torch" in facts["modules"] and where == "gpu":
        import torch

        found = {
            "cuda": torch.cuda.is_available(),
            "devices": torch.cuda.device_count(),
            "built_for": torch.version.cuda,
        }
        print(json.dumps(found), flush=True)


if __name__ == "__main__":
    import sys

    # Python put this folder on the path, where `kernel.py` and others would hide modules of the same name.
    sys.path.pop(0)
    _main(sys.argv[1])
