"""Whether this is the device that the operator was proven and measured on."""

from __future__ import annotations

import os
import re
from typing import Optional

import torch

from ._table import Refused, Table

#: Set to 1 to run on another device. What was proven holds for the one in dispatch.json; the self-test says the rest.
OTHER_DEVICE_VARIABLE = "PAWL_TORCH_OTHER_DEVICE"

_used: Optional[int] = None


def require_device(table: Table, index: Optional[int]) -> None:
    """Refuses another model of device, and a second GPU in one process: kernels keep facts of the first one they see."""
    global _used
    if index is not None and _used == index:
        return
    if index is not None and _used is not None:
        raise Refused(
            f"{table.name} ran on GPU {_used} of this process, and was proven on one GPU per process: "
            f"start a process for GPU {index}"
        )
    wanted = table.device_name
    if index is not None:
        found = torch.cuda.get_device_name(index)
    else:
        # Libraries for the CPU may have instructions that another processor lacks.
        found, wanted = cpu_identity(), table.document["operator"].get("cpu")
    if found is not None and wanted is not None and found != wanted and os.environ.get(OTHER_DEVICE_VARIABLE) != "1":
        raise Refused(
            f"{table.name} was proven and measured on {table.device_name}, and this is {found}: export it here, "
            f"or set {OTHER_DEVICE_VARIABLE}=1 and run `python -m {table.namespace}.selftest`"
        )
    if index is not None:
        _used = index


def cpu_identity() -> Optional[str]:
    """As `pawl export` reads it; None where /proc does not say."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            first = file.read().split("\n\n")[0]
    except OSError:
        return None
    lines = [line for line in first.splitlines() if re.match(r"(?:model name|CPU implementer|CPU part)\s*:", line)]
    return "; ".join(re.sub(r"\s*:\s*", ": ", line.strip(), count=1) for line in lines) or None
