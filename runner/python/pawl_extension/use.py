"""In a candidate, before a kernel's code: PyTorch's extensions are compiled by `compiler.py`."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
import tempfile

from .compiler_names import HEADERS, NEW_OBJECTS, OBJECTS

#: As runner/src/scratch_folder.cpp names them; a process's number follows.
_SCRATCH = "pawl-scratch-"
_HERE = os.path.dirname(os.path.abspath(__file__))


def use_compilers() -> None:
    """In the one folder that is the candidate's own."""
    if HEADERS not in os.environ:
        return
    scratch = os.environ.get("TMPDIR", "")
    if not os.path.basename(scratch).startswith(_SCRATCH):
        # Where nothing was kept, PyTorch's own folder has at least what its last process built.
        if not _has_objects():
            return
        scratch = _own_folder()
    put_compilers(os.path.join(scratch, "pawl-compilers"))


def _has_objects() -> bool:
    try:
        return bool(os.listdir(os.environ[OBJECTS]))
    except (KeyError, OSError):
        return False


def _own_folder() -> str:
    """
    Under a profiler or a sanitizer, where nothing confines a candidate. PyTorch would build in a folder that all its
    processes share, and wait for ever for one that was killed there. It stays for a profiler, which reads sources at
    the end; the next judge or candidate removes it.
    """
    parent = tempfile.gettempdir()
    for name in os.listdir(parent):
        owner = re.match(_SCRATCH + r"(\d+)-", name)
        if owner and not os.path.isdir(f"/proc/{owner[1]}"):
            shutil.rmtree(os.path.join(parent, name), ignore_errors=True)
    folder = tempfile.mkdtemp(prefix=f"{_SCRATCH}{os.getpid()}-")
    os.environ["TORCH_EXTENSIONS_DIR"] = os.path.join(folder, "TORCH_EXTENSIONS_DIR")
    return folder


def put_compilers(folder: str) -> None:
    os.makedirs(folder, exist_ok=True)
    os.environ.setdefault(NEW_OBJECTS, os.path.join(folder, "objects"))
    for variable, kind, name, program in (
        ("CXX", "c++", "g++", _host_compiler()),
        ("PYTORCH_NVCC", "nvcc", "nvcc", None if "PYTORCH_NVCC" in os.environ else _nvcc()),
    ):
        if program is None:
            continue
        # PyTorch knows compilers by their names.
        path = os.path.join(folder, name)
        words = shlex.join([sys.executable, "-B", os.path.join(_HERE, "compiler.py"), kind, program])
        with open(path, "w", encoding="utf8") as file:
            file.write(f'#!/bin/sh\nexec {words} "$@"\n')
        os.chmod(path, 0o755)
        os.environ[variable] = path


def _host_compiler() -> str | None:
    """The one that PyTorch would take, where it is GCC: others precompile headers in other ways."""
    given = os.environ.get("CXX")
    if given is None:
        return shutil.which("c++") or shutil.which("g++")
    return shutil.which(given) if re.search(r"(?:^|[/-])[gc]\+\+(?:-\d+)?$", given) else None


def _nvcc() -> str | None:
    """Where PyTorch looks for it."""
    home = os.environ.get("CUDA_HOME") or os.environ.get("CUDA_PATH")
    found = os.path.join(home, "bin", "nvcc") if home else shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    return found if os.path.isfile(found) else None
