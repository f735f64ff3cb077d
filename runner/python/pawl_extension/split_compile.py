"""Compiles a CUDA file in two parts at the same time, and makes one object of them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile

from .flags import Command
from .split_cuda import Unsplittable, split

#: Before the device's part: what PyTorch's headers would have brought of C++'s and of CUDA's own.
DEVICE_HEADERS = (
    "algorithm", "array", "atomic", "cassert", "cfloat", "chrono", "climits", "cmath", "complex", "cstddef", "cstdint",
    "cstdio", "cstdlib", "cstring", "functional", "initializer_list", "iostream", "iterator", "limits", "map", "memory",
    "mutex", "numeric", "optional", "set", "sstream", "stdexcept", "string", "tuple", "type_traits", "unordered_map",
    "utility", "vector", "cuda.h", "cuda_runtime.h", "cuda_fp16.h", "cuda_bf16.h", "cuda_fp8.h",
)  # fmt: skip
#: Before the host's part: what nvcc's own headers declare for a launch.
HOST_DECLARATIONS = """
#ifndef __launch_bounds__
#define __launch_bounds__(...)
#endif
#ifndef __maxnreg__
#define __maxnreg__(...)
#endif
#ifndef __cluster_dims__
#define __cluster_dims__(...)
#endif
#ifndef __grid_constant__
#define __grid_constant__
#endif
extern "C" unsigned __cudaPushCallConfiguration(dim3, dim3 = 1, size_t = 0, struct CUstream_st * = 0);
template <class... A> cudaError_t cudaFuncSetAttribute(void (*kernel)(A...), cudaFuncAttribute attribute, int value) {
  return ::cudaFuncSetAttribute(reinterpret_cast<const void *>(kernel), attribute, value);
}
"""


def compile_parts(command: Command, nvcc: str, compile_with: list[str], header: str, define: str = "") -> None:
    """`header` stands for PyTorch's, and its precompiled form is beside it; `define` comes after it."""
    with open(command.source, encoding="utf8") as file:
        parts = split(file.read())
    with tempfile.TemporaryDirectory() as folder:
        # Named as the source is: what has no name of its own gets one of the file's.
        device = os.path.join(folder, os.path.basename(command.source))
        host = os.path.join(folder, "host.cpp")
        headers = "".join(f"#include <{name}>\n" for name in DEVICE_HEADERS)
        _write(device, f'{headers}#line 1 "{command.source}"\n{parts.device}')
        _write(host, f'#include "{header}"\n{define}{HOST_DECLARATIONS}#line 1 "{command.source}"\n{parts.host}')
        objects = device + ".o", host + ".o"
        _run_both(
            # Functions that launch templates are the device part's own otherwise.
            [nvcc, *command.device, "-static-global-template-stub=false", "-c", device, "-o", objects[0]],
            [*compile_with, "-w", "-c", host, "-o", objects[1]],
        )
        joined = os.path.join(folder, "joined.o")
        _run_both(["ld", "-r", *objects, "-o", joined])
        _demand_definitions(joined, parts.names)
        shutil.copyfile(joined, command.output)


def _run_both(*commands: list[str]) -> None:
    running = [subprocess.Popen(one, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) for one in commands]
    said = [one.communicate()[0].decode(errors="replace") for one in running]
    for one, text in zip(running, said):
        if one.returncode != 0:
            raise Unsplittable(text)


def _demand_definitions(joined: str, names: set[str]) -> None:
    """What the file defines is defined: a library with an undefined symbol would fail at its import."""
    undefined = subprocess.run(["nm", "-u", joined], capture_output=True, text=True, check=True).stdout
    for symbol in re.findall(r"\bU (\S+)", undefined):
        for name in names:
            if symbol == name or f"{len(name)}{name}" in symbol:
                raise Unsplittable(f"{symbol} is in neither part")


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="utf8") as file:
        file.write(text)
