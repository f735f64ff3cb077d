"""
PyTorch's headers, precompiled: for each way of compiling one folder, named after everything that decides about its
contents. Made by Pawl from these lines alone, before a kernel's code runs, and only read by candidates.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import tempfile

#: What `load_inline` puts before C++ sources, and before CUDA sources. Of torch/extension.h without its layers,
#: optimizers, data loaders and archives, which take most of its time: a file that uses them is compiled as it is.
TEXTS = {
    "c++": "".join(
        f"#include <{name}>\n"
        for name in (
            "torch/types.h",
            "torch/cuda.h",
            "torch/utils.h",
            "torch/version.h",
            "torch/csrc/Device.h",
            "torch/csrc/Dtype.h",
            "torch/csrc/DynamicTypes.h",
            "torch/csrc/Exceptions.h",
            "torch/csrc/autograd/python_variable.h",
            "torch/csrc/python_headers.h",
            "torch/csrc/utils/pybind.h",
            "torch/csrc/utils/python_numbers.h",
            "torch/csrc/utils/python_tuples.h",
            "pybind11/pybind11.h",
            "pybind11/stl.h",
        )
    ),
    "nvcc": "#include <torch/types.h>\n#include <torch/version.h>\n#include <cuda.h>\n#include <cuda_runtime.h>\n#include <c10/cuda/CUDAStream.h>\n",
}
FILE = "pawl_prefix.h"
#: Found before PyTorch's own, by what is compiled after the precompiled header.
_EMPTY = os.path.join("torch", "extension.h")
#: Options that name no file and run no program: what they do is known from their words alone.
_HARMLESS = re.compile(
    r"-(?:D\w+(?:=[\w.]*)?|U\w+|O(?:[0-3sgz]|fast)?|std=[\w+]+|g[0-3]?|w|pedantic|pthread|W[\w+-]+(?:=\d+)?"
    r"|m[\w.+-]+(?:=[\w.+-]+)?|f(?!plugin|dump|profile|auto-profile|lto|save)[a-zA-Z0-9-]+)"
)


def harmless(options: list[str]) -> bool:
    """Whether headers may be precompiled with them: every option is plain, and includes come from PyTorch alone."""
    rest = iter(options)
    return all(
        next(rest, "").startswith("/") if option == "-isystem" else _HARMLESS.fullmatch(option) for option in rest
    )


def key_of(kind: str, compiler: list[str], options: list[str]) -> str:
    version = subprocess.run([*compiler, "--version"], capture_output=True, text=True).stdout
    parts = [kind, TEXTS[kind], version, *options]
    # PyTorch's headers are known by one of them: a new version does not leave it as it was.
    for folder in options:
        found = os.path.join(folder, "torch", "version.h")
        for path in (found, os.path.join(folder, "ATen", "Functions.h")):
            if os.path.isfile(path):
                about = os.stat(path)
                parts += [path, str(about.st_mtime_ns), str(about.st_size)]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def header_of(folder: str, kind: str, compiler: list[str], options: list[str]) -> str | None:
    """The header whose precompiled form is there."""
    path = os.path.join(folder, key_of(kind, compiler, options), FILE)
    return path if os.path.isfile(path + ".gch") else None


def precompile(folder: str, kind: str, compiler: list[str], options: list[str]) -> None:
    if not harmless(options):
        return
    place = os.path.join(folder, key_of(kind, compiler, options))
    if os.path.isfile(os.path.join(place, FILE + ".gch")):
        return
    os.makedirs(folder, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as made:
        header = os.path.join(made, FILE)
        with open(header, "w", encoding="utf8") as file:
            file.write(TEXTS[kind])
        subprocess.run([*compiler, *options, "-w", "-x", "c++-header", header, "-o", header + ".gch"], check=True)
        finished = made + ".made"
        os.makedirs(os.path.dirname(os.path.join(finished, _EMPTY)))
        with open(os.path.join(finished, _EMPTY), "w", encoding="utf8") as file:
            file.write("#pragma once\n")
        for name in (FILE, FILE + ".gch"):
            os.rename(os.path.join(made, name), os.path.join(finished, name))
    try:
        os.rename(finished, place)
    except OSError:
        # Somebody else was first.
        shutil.rmtree(finished)
