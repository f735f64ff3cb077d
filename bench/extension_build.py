"""
How long a PyTorch extension with a CUDA kernel takes to build, plain and in the ways that Pawl builds it.

    python3 bench/extension_build.py [folder for what is built] [--whole]

Needs PyTorch with CUDA's headers, nvcc, g++ and ninja; a GPU only for the variants that import the library. Prints one
line per variant: seconds, and whether what was built computes what it should. `--whole` leaves out the single steps.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "runner", "python"))

import torch
from torch.utils import cpp_extension

from pawl_extension.flags import read_command
from pawl_extension.headers import TEXTS
from pawl_extension.split_compile import compile_parts

CUDA = """
#include <c10/cuda/CUDAStream.h>

__global__ void scale_kernel(const float *x, float *y, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) y[i] = FACTORf * x[i];
}

torch::Tensor scale(torch::Tensor x) {
  torch::Tensor y = torch::empty_like(x);
  const int64_t N = x.numel();
  scale_kernel<<<(N + 255) / 256, 256, 0, c10::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(), y.data_ptr<float>(),
                                                                               N);
  return y;
}
"""
CPP = "torch::Tensor scale(torch::Tensor x);"


def timed(name: str, act):
    began = time.perf_counter()
    try:
        result, said = act(), ""
    except Exception as error:
        result, said = None, f"  FAILED: {str(error)[-1500:]}"
    print(f"{time.perf_counter() - began:8.2f} s  {name}{said}", flush=True)
    return result


def load_by_pawl(folder: str, load) -> None:
    """The whole of `load_inline` as a candidate of Pawl has it: headers first, then two kernels that differ."""
    from pawl_extension.compiler_names import EXPLAIN, HEADERS, OBJECTS
    from pawl_extension.precompile import main as precompile
    from pawl_extension.use import put_compilers

    headers, objects = os.path.join(folder, "headers"), os.path.join(folder, "objects")
    os.makedirs(headers)
    module = os.path.join(folder, "module.py")
    with open(module, "w", encoding="utf8") as file:
        file.write("load_inline()\n")
    reasons = os.environ[EXPLAIN] = os.path.join(folder, "reasons.txt")
    kept = dict(os.environ)
    timed("precompiling the headers, both sets at once", lambda: precompile(headers, [module]))
    os.environ.clear()
    os.environ.update(kept, **{HEADERS: headers, OBJECTS: objects})
    put_compilers(os.path.join(folder, "compilers"))
    for factor in ("3.0", "5.0"):
        build = os.path.join(folder, f"by-pawl-{factor}")
        os.makedirs(build)
        timed(f"load_inline through Pawl, a kernel that is new ({factor})", lambda: load(build, factor))
    os.environ.clear()
    os.environ.update(kept)
    if os.path.exists(reasons):
        print(f"compiled as it is, because of:\n{open(reasons, encoding='utf8').read()[-6000:]}")


def run(command: list[str]) -> None:
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        raise RuntimeError(done.stdout)


def main(folder: str) -> None:
    nvcc = os.path.join(cpp_extension.CUDA_HOME or "/usr/local/cuda", "bin", "nvcc")
    version = subprocess.run([nvcc, "--version"], capture_output=True, text=True).stdout.split("\n")[-3:]
    gcc = subprocess.run(["c++", "--version"], capture_output=True, text=True).stdout.split("\n")[0]
    print(f"PyTorch {torch.__version__}, {' '.join(version).strip()}, {gcc}, {os.cpu_count()} cores", flush=True)
    has_gpu = torch.cuda.is_available()
    if not has_gpu:
        os.environ.setdefault("TORCH_CUDA_ARCH_LIST", "9.0")

    # What PyTorch itself does, from nothing.
    plain = os.path.join(folder, "plain")
    os.makedirs(plain)

    def load(build: str, factor: str):
        module = cpp_extension.load_inline(
            name="pawl_scale",
            cpp_sources=CPP,
            cuda_sources=CUDA.replace("FACTOR", factor),
            functions=["scale"],
            build_directory=build,
        )
        if has_gpu:
            x = torch.arange(1000, dtype=torch.float32, device="cuda")
            assert torch.equal(module.scale(x), float(factor) * x), "the kernel computes something else"

    if "--whole" in sys.argv:
        load_by_pawl(folder, load)
    timed("load_inline as it is, cold", lambda: load(plain, "2.0"))
    timed("load_inline as it is, the same sources again", lambda: load(plain, "2.0"))
    if "--whole" in sys.argv:
        return

    # Its commands, one by one.
    lines = open(os.path.join(plain, "build.ninja"), encoding="utf8").read().split("\n")
    flags = dict(line.split(" = ", 1) for line in lines if " = " in line and not line.startswith(" "))
    import shlex

    cxx_flags, cuda_flags = shlex.split(flags["cflags"]), shlex.split(flags["cuda_cflags"])
    main_cpp, cuda_cu = os.path.join(plain, "main.cpp"), os.path.join(plain, "cuda.cu")
    timed("g++ main.cpp", lambda: run(["c++", *cxx_flags, "-c", main_cpp, "-o", os.path.join(folder, "a.o")]))
    csv = os.path.join(folder, "phases.csv")
    timed(
        "nvcc cuda.cu",
        lambda: run([nvcc, *cuda_flags, f"--time={csv}", "-c", cuda_cu, "-o", os.path.join(folder, "b.o")]),
    )
    if os.path.exists(csv):
        for line in open(csv, encoding="utf8").read().split("\n")[1:]:
            cells = line.split(",")
            if len(cells) > 6:
                print(f"              {cells[1].strip()}: {float(cells[-2]) / 1000:.2f} s")

    # Precompiled headers for the host compiler.
    headers = {"extension": TEXTS["c++"], "types": TEXTS["nvcc"]}
    # Found in the place of PyTorch's own, after what is precompiled of it.
    os.mkdir(os.path.join(folder, "torch"))
    with open(os.path.join(folder, "torch", "extension.h"), "w", encoding="utf8") as file:
        file.write("#pragma once\n")
    for name, text in headers.items():
        path = os.path.join(folder, f"{name}.h")
        with open(path, "w", encoding="utf8") as file:
            file.write(text)
        timed(f"precompiling {name}.h", lambda: run(["c++", *cxx_flags, "-x", "c++-header", path]))
        if os.path.exists(path + ".gch"):
            print(f"              {os.path.getsize(path + '.gch') / 1e6:.0f} MB")
    timed(
        "g++ main.cpp with extension.h precompiled",
        lambda: run(
            ["c++", "-include", os.path.join(folder, "extension.h"), "-I", folder, *cxx_flags, "-c", main_cpp]
            + ["-o", os.path.join(folder, "c.o")]
        ),
    )

    # The CUDA file in two parts.
    def split(source: str, output: str) -> None:
        command = read_command([*cuda_flags, "-c", source, "-o", output])
        include = os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(nvcc))), "include")
        compile_parts(command, nvcc, ["c++", *command.host, "-isystem", include], os.path.join(folder, "types.h"))

    timed("cuda.cu in two parts, types.h precompiled", lambda: split(cuda_cu, os.path.join(folder, "d.o")))
    with open(cuda_cu, encoding="utf8") as file:
        device_only = os.path.join(folder, "device.cu")
        from pawl_extension.split_cuda import split as parts_of

        with open(device_only, "w", encoding="utf8") as out:
            out.write(parts_of(file.read()).device)
    timed(
        "nvcc, the device's part alone",
        lambda: run([nvcc, *cuda_flags, "-c", device_only, "-o", os.path.join(folder, "e.o")]),
    )
    ldflags = shlex.split(flags["ldflags"])
    timed(
        "linking",
        lambda: run(
            ["c++", os.path.join(folder, "c.o"), os.path.join(folder, "d.o"), *ldflags]
            + ["-o", os.path.join(folder, "pawl_scale.so")]
        ),
    )
    if has_gpu:
        import importlib.util

        def use():
            spec = importlib.util.spec_from_file_location("pawl_scale", os.path.join(folder, "pawl_scale.so"))
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            x = torch.arange(1000, dtype=torch.float32, device="cuda")
            assert torch.equal(module.scale(x), 2 * x), "the kernel computes something else"

        timed("importing it and calling it", use)


if __name__ == "__main__":
    if len(sys.argv) > 1 and not sys.argv[1].startswith("-"):
        os.makedirs(sys.argv[1])
        main(sys.argv[1])
    else:
        place = tempfile.mkdtemp(prefix="pawl-extension-")
        try:
            main(place)
        finally:
            shutil.rmtree(place)
