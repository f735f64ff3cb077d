"""
A process that has imported frameworks and runs no candidate's code. The judge asks it for copies of itself, which go on as
candidates: an import of PyTorch takes seconds, a copy milliseconds. Of what it imports only installed packages count:
nothing of a project, which would run outside of a sandbox here.
"""

from __future__ import annotations

import ctypes
import gc
import importlib
import importlib.util
import os
import signal
import sys
from json import loads
from typing import Any

from .sources import installed_folders

#: What copies find imported, by framework. `cpp_extension` and compilers are left to those who use them.
MODULES = {"numpy": ("numpy",), "torch": ("numpy", "torch")}


def wait_for_copy(library: str) -> bool:
    """True in a copy, which is confined then; False when no more are wanted."""
    native = ctypes.CDLL(library)
    native.pawl_warm_next.restype = ctypes.c_char_p
    native.pawl_warm_become.restype = None
    while (text := native.pawl_warm_next()) is not None:
        request = loads(text)
        if request["op"] == "import":
            _import(request["module"])
        elif (forked := os.fork()) == 0:
            # Returns in a copy of the fork, which itself ends.
            native.pawl_warm_become()
            _settle(request["environment"])
            return True
        else:
            os.waitpid(forked, 0)
    return False


def _import(framework: str) -> None:
    for name in MODULES.get(framework, ()):
        try:
            found = importlib.util.find_spec(name)
            if found is None or not os.path.realpath(found.origin or "").startswith(installed_folders()):
                return
            importlib.import_module(name)
            # Copies need not look through it again.
            gc.collect()
            gc.freeze()
        except BaseException:
            # A candidate that needs it says why it cannot be had.
            return


def _settle(environment: list[str]) -> None:
    """What a process that was started by itself would have."""
    os.environ.clear()
    os.environ.update(variable.split("=", 1) for variable in environment)
    for ignored in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(ignored, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    numpy: Any = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed()
