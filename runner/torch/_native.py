"""
The operator in C++: binding.cpp with table.hpp, compiled once for each version of PyTorch. Kernels are not compiled
again: their libraries are those that were measured.
"""

from __future__ import annotations

import glob
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from typing import List, Optional

import torch

from ._library import require_bytes
from ._table import Table

SOURCES = ("binding.cpp", "table.hpp", "pawl_kernel.h")


def load_native(table: Table) -> Optional[str]:
    """None, or why there is no native binding here."""
    built = built_file(table)
    if not os.path.isfile(built):
        problem = build(table, built)
        if problem is not None:
            return problem
    for one in table.variants:
        require_bytes(os.path.join(table.folder, one["library"]["file"]), one["library"]["sha256"])
    torch.ops.load_library(built)
    getattr(torch.ops, f"{table.namespace}_native").open(table.folder)
    return None


def built_file(table: Table) -> str:
    """Of these sources and this PyTorch."""
    digest = hashlib.sha256()
    for name in SOURCES:
        with open(os.path.join(table.folder, name), "rb") as file:
            digest.update(file.read())
    linked = " ".join(libraries(table))
    digest.update(f"{torch.__version__} {torch.version.cuda} {os.environ.get('CXX', '')} {linked}".encode())
    name = f"binding-{digest.hexdigest()[:16]}.so"
    beside = os.path.join(table.folder, "_built")
    if os.access(table.folder, os.W_OK):
        return os.path.join(beside, name)
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(cache, "pawl", "torch", name)


def build(table: Table, built: str) -> Optional[str]:
    include = [path for path in include_folders(table) if os.path.isdir(path)]
    if not any(os.path.isfile(os.path.join(path, "torch", "library.h")) for path in include):
        return f"PyTorch {torch.__version__} was installed without its C++ headers"
    if table.device == "cuda" and not any(os.path.isfile(os.path.join(path, "cuda_runtime_api.h")) for path in include):
        return "the headers of CUDA (cuda_runtime_api.h) were not found; set CUDA_HOME"
    compiler = os.environ.get("CXX") or shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        return "there is no C++ compiler"
    os.makedirs(os.path.dirname(built), exist_ok=True)
    handle, partial = tempfile.mkstemp(suffix=".so", dir=os.path.dirname(built))
    os.close(handle)
    command = [*compiler.split(), *flags(table, include), "-o", partial, os.path.join(table.folder, "binding.cpp")]
    command += libraries(table)
    print(f"{table.namespace}: building the operator for PyTorch {torch.__version__}, once", file=sys.stderr)
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=900)
    except (OSError, subprocess.TimeoutExpired) as error:
        os.unlink(partial)
        return f"{command[0]} could not be run: {error}"
    if run.returncode != 0:
        os.unlink(partial)
        lines = [line for line in run.stderr.splitlines() if "error" in line] or run.stderr.splitlines()
        return f"{command[0]} failed: {' / '.join(lines[:3])}"
    os.replace(partial, built)
    return None


def flags(table: Table, include: List[str]) -> List[str]:
    version = tuple(int(part) for part in torch.__version__.split("+")[0].split(".")[:2])
    # PyTorch's headers are written in C++20 from 2.10 on, and early ones do not compile as that.
    standard = "c++20" if version >= (2, 10) else "c++17"
    found = [f"-std={standard}", "-O2", "-fPIC", "-shared", "-fvisibility=hidden", "-w", f"-I{table.folder}"]
    # Not `-I`: their own warnings and names stay theirs.
    for path in include:
        found += ["-isystem", path]
    found.append(f"-D_GLIBCXX_USE_CXX11_ABI={int(torch._C._GLIBCXX_USE_CXX11_ABI)}")
    if table.device == "cuda":
        found.append("-DPAWL_TORCH_CUDA=1")
    return found


def libraries(table: Table) -> List[str]:
    """PyTorch has loaded them: they are found by their names."""
    folder = os.path.join(os.path.dirname(torch.__file__), "lib")
    names = ["c10", "torch_cpu", "torch", *(["c10_cuda", "torch_cuda"] if table.device == "cuda" else [])]
    found = [f"-L{folder}", f"-Wl,-rpath,{folder}", *[f"-l{name}" for name in names], "-ldl"]
    # Where the compiler takes the static C++ library, two of them in one process crash when text is written. What is
    # taken from an archive all the same is not seen by others.
    return [*found, *loaded_file("libstdc++.so"), "-Wl,--exclude-libs,ALL"]


def loaded_file(name: str) -> List[str]:
    """The file of a library in this process, or nothing."""
    try:
        with open("/proc/self/maps", "r", encoding="utf-8", errors="replace") as maps:
            paths = [line.split(maxsplit=5)[5].strip() for line in maps if line.count("/") > 0]
    except (OSError, IndexError):
        return []
    return [path for path in dict.fromkeys(paths) if os.path.basename(path).startswith(name) and os.path.isfile(path)][:1]


def include_folders(table: Table) -> List[str]:
    home = os.path.join(os.path.dirname(torch.__file__), "include")
    found = [home, os.path.join(home, "torch", "csrc", "api", "include")]
    if table.device != "cuda":
        return found
    for cuda in (os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"), cuda_of_compiler(), "/usr/local/cuda"):
        if cuda:
            found += [os.path.join(cuda, "include"), *glob.glob(os.path.join(cuda, "targets", "*", "include"))]
    # As pip installs them.
    return found + sorted(glob.glob(os.path.join(os.path.dirname(os.path.dirname(torch.__file__)), "nvidia", "*", "include")))


def cuda_of_compiler() -> Optional[str]:
    nvcc = shutil.which("nvcc")
    return None if nvcc is None else os.path.dirname(os.path.dirname(os.path.realpath(nvcc)))
