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
    found = cpu_name() if index is None else torch.cuda.get_device_name(index)
    if found is not None and found != table.device_name and os.environ.get(OTHER_DEVICE_VARIABLE) != "1":
        raise Refused(
            f"{table.name} was proven and measured on {table.device_name}, and this is {found}: export it here, "
            f"or set {OTHER_DEVICE_VARIABLE}=1 and run `python -m {table.namespace}.selftest`"
        )
    if index is not None:
        _used = index


def cpu_name() -> Optional[str]:
    """As Pawl reads it on x86; None where /proc does not say, as on Arm."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            found = re.search(r"^model name\s*:\s*(.+)$", file.read(), re.MULTILINE)
    except OSError:
        return None
    return found.group(1).strip() if found else None
