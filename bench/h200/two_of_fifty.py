"""
A git project of fifty kernels for bench/h200/two-of-fifty.sh, and a pull request that touches two of them.

    two_of_fifty.py make FOLDER [--cpu]     ten problems, five kernels each, one header that all include
    two_of_fifty.py change FOLDER [--cpu]   a slower kernel, one written differently, and a comment in the header

$FAMILIES names the problems, if not all are wanted: "gelu,exp-mean" are those that the pull request touches. The five
kernels of a problem differ in threads and in how much a thread does, so that no two have the same machine code.
"""
import os
import pathlib
import sys

# name: what it does to every element, and in double precision.
EXPRESSIONS = {
    "gelu": "0.5 * v * (1 + tanh(0.79788456 * (v + 0.044715 * v * v * v)))",
    "silu": "v / (1 + exp(-v))",
    "softplus": "v > 20 ? v : log1p(exp(v))",
    "sine": "sin(3 * v) + 0.5 * cos(v)",
}
# A reduction of every row; and a small matrix product with something behind it.
ROWS = {"square-sum": ("v * v", "sum"), "exp-mean": ("exp(v)", "sum / COLS"), "length": ("v * v", "sqrt(sum)")}
PRODUCTS = {"linear": "sum", "relu": "sum > 0 ? sum : 0", "scaled": "0.125 * sum"}
# Threads of a block, and elements of a thread.
SHAPES = [(64, 1), (128, 2), (256, 4), (256, 1), (512, 2)]

HEADER = """#pragma once
// What all kernels of this project share.
#include "pawl_kernel.h"
#include <cmath>

#define X static_cast<const float *>(call->tensors[0].data)
#define W static_cast<const float *>(call->tensors[1].data)
#define OUT(at) static_cast<float *>(call->tensors[at].data)
"""
LAUNCH = "static_cast<cudaStream_t>(call->stream)"


def floats(text):
    """The same expression for floats."""
    for name in ("tanh", "exp", "log1p", "sin", "cos", "sqrt"):
        text = text.replace(f"{name}(", f"{name}f(")
    for number in ("0.79788456", "0.044715", "0.125", "0.5"):
        text = text.replace(number, f"{number}f")
    return text


def kernel(kind, expression, threads, items, cpu):
    """The source of one kernel. On a CPU, `items` is how far loops are unrolled."""
    return (cpu_kernel if cpu else cuda_kernel)(kind, expression, threads, items)


def cuda_kernel(kind, expression, threads, items):
    start = f'#include "shared.h"\n#include <cuda_runtime.h>\n\n'
    if kind == "map":
        body = f"""__global__ void __launch_bounds__({threads}) map(const float *x, float *y, int64_t n) {{
  const int64_t first = static_cast<int64_t>(blockIdx.x) * {threads * items} + threadIdx.x;
#pragma unroll
  for (int item = 0; item < {items}; item++) {{
    const int64_t i = first + item * {threads};
    if (i >= n) return;
    const float v = x[i];
    y[i] = {floats(expression)};
  }}
}}
"""
        call = f"""const int64_t n = call->dims[0].value;
  map<<<static_cast<unsigned>((n + {threads * items - 1}) / {threads * items}), {threads}, 0, {LAUNCH}>>>(X, OUT(1), n);"""
    elif kind == "rows":
        each, whole = expression
        body = f"""__global__ void __launch_bounds__({threads}) reduce(const float *x, float *y, int64_t COLS) {{
  __shared__ float parts[{threads}];
  x += blockIdx.x * COLS;
  float sum = 0;
#pragma unroll {items}
  for (int64_t col = threadIdx.x; col < COLS; col += {threads}) {{
    const float v = x[col];
    sum += {floats(each)};
  }}
  parts[threadIdx.x] = sum;
  for (int half = {threads // 2}; half > 0; half /= 2) {{
    __syncthreads();
    if (threadIdx.x < half) parts[threadIdx.x] += parts[threadIdx.x + half];
  }}
  sum = parts[0];
  if (threadIdx.x == 0) y[blockIdx.x] = {floats(whole)};
}}
"""
        call = f"""reduce<<<static_cast<unsigned>(call->dims[0].value), {threads}, 0, {LAUNCH}>>>(X, OUT(1), call->dims[1].value);"""
    else:
        tile, per = (16, items) if threads < 256 else (32, items)
        body = f"""__global__ void product(const float *x, const float *w, float *y, int n, int k) {{
  __shared__ float a[{tile}][{tile}], b[{tile}][{tile * per}];
  const int row = blockIdx.y * {tile} + threadIdx.y, col = blockIdx.x * {tile * per} + threadIdx.x;
  float sums[{per}] = {{}};
  for (int at = 0; at < k; at += {tile}) {{
    a[threadIdx.y][threadIdx.x] = x[row * k + at + threadIdx.x];
    for (int i = 0; i < {per}; i++) b[threadIdx.y][i * {tile} + threadIdx.x] = w[(at + threadIdx.y) * n + col + i * {tile}];
    __syncthreads();
#pragma unroll {8 if threads % 3 else 4}
    for (int step = 0; step < {tile}; step++)
      for (int i = 0; i < {per}; i++) sums[i] += a[threadIdx.y][step] * b[step][i * {tile} + threadIdx.x];
    __syncthreads();
  }}
  for (int i = 0; i < {per}; i++) {{
    const float sum = sums[i];
    y[row * n + col + i * {tile}] = {floats(expression)};
  }}
}}
"""
        call = f"""const int m = call->dims[0].value, n = call->dims[1].value, k = call->dims[2].value;
  product<<<dim3(n / {tile * per}, m / {tile}), dim3({tile}, {tile}), 0, {LAUNCH}>>>(X, W, OUT(2), n, k);"""
    return f"""{start}{body}
PAWL_EXPORT int pawl_run(const pawl_call *call) {{
  {call}
  return static_cast<int>(cudaGetLastError());
}}

PAWL_EXPORT const char *pawl_error_text(int code) {{ return cudaGetErrorString(static_cast<cudaError_t>(code)); }}
"""


def loops(kind, expression, real, unroll):
    """What both oracles and CPU kernels are: plain loops."""
    pragma = f"#pragma GCC unroll {unroll}\n" if unroll else ""
    text = floats if real == "float" else str
    if kind == "map":
        return f"""{pragma}  for (int64_t i = 0; i < call->dims[0].value; i++) {{
    const {real} v = x[i];
    y[i] = {text(expression)};
  }}
"""
    if kind == "rows":
        each, whole = expression
        return f"""  const int64_t COLS = call->dims[1].value;
  for (int64_t row = 0; row < call->dims[0].value; row++) {{
    {real} sum = 0;
{pragma}    for (int64_t col = 0; col < COLS; col++) {{
      const {real} v = x[row * COLS + col];
      sum += {text(each)};
    }}
    y[row] = {text(whole)};
  }}
"""
    return f"""  const int64_t n = call->dims[1].value, k = call->dims[2].value;
  for (int64_t row = 0; row < call->dims[0].value; row++)
    for (int64_t col = 0; col < n; col++) {{
      {real} sum = 0;
{pragma}      for (int64_t step = 0; step < k; step++) sum += x[row * k + step] * w[step * n + col];
      y[row * n + col] = {text(expression)};
    }}
"""


def tensors_of(kind, real):
    w = f"  const {real} *w = static_cast<const {real} *>(call->tensors[1].data);\n" if kind == "product" else ""
    return f"""  const {real} *x = static_cast<const {real} *>(call->tensors[0].data);
{w}  {real} *y = static_cast<{real} *>(call->tensors[{2 if w else 1}].data);
"""


def cpu_kernel(kind, expression, threads, items):
    unroll = SHAPES.index((threads, items)) + 1
    return f"""#include "shared.h"

PAWL_EXPORT int pawl_run(const pawl_call *call) {{
{tensors_of(kind, "float")}{loops(kind, expression, "float", unroll)}  return 0;
}}
"""


def oracle(kind, expression):
    return f"""#include "pawl_kernel.h"
#include <cmath>
using namespace std;

PAWL_EXPORT int pawl_oracle(const pawl_call *call) {{
{tensors_of(kind, "double")}{loops(kind, expression, "double", 0)}  return 0;
}}
"""


YAML = {
    "map": ("[N]", "x: {{ role: input, dtype: f32, shape: [N] }}\n      y: {{ role: output, dtype: f32, shape: [N] }}",
            "atol: 1e-5, rtol: 1e-4", "N: {}"),
    "rows": ("[ROWS, COLS]", "x: {{ role: input, dtype: f32, shape: [ROWS, COLS] }}\n      y: {{ role: output, dtype: f32, shape: [ROWS] }}",
             "atol: 1e-4, rtol: 1e-4", "ROWS: {}, COLS: {}"),
    "product": ("[M, N, K]", "x: {{ role: input, dtype: f32, shape: [M, K] }}\n      w: {{ role: input, dtype: f32, shape: [K, N] }}\n"
                "      y: {{ role: output, dtype: f32, shape: [M, N] }}", "atol: 1e-3, rtol: 1e-3", "M: {}, N: {}, K: {}"),
}
SIZES = {"cuda": {"map": (2**22,), "rows": (2048, 4096), "product": (256, 512, 512)},
         "cpu": {"map": (20000,), "rows": (64, 512), "product": (32, 64, 64)}}


def problems():
    wanted = os.environ.get("FAMILIES", "").split(",")
    for kind, family in (("map", EXPRESSIONS), ("rows", ROWS), ("product", PRODUCTS)):
        for name, expression in family.items():
            if wanted == [""] or name in wanted:
                yield name, kind, expression


def kernels(cpu):
    for name, kind, expression in problems():
        for threads, items in SHAPES:
            yield f"{name}-{threads}x{items}", name, kernel(kind, expression, threads, items, cpu)


def make(folder, cpu):
    ending = "cpp" if cpu else "cu"
    device, language = ("cpu", "c++") if cpu else ("cuda", "cuda")
    (folder / "kernels").mkdir(parents=True)
    (folder / "oracles").mkdir()
    (folder / "include").mkdir()
    (folder / "include/shared.h").write_text(HEADER)
    (folder / ".gitignore").write_text(".pawl/\n")
    text = ["version: 1", "problems:"]
    for name, kind, expression in problems():
        dims, tensors, tolerance, case = YAML[kind]
        (folder / f"oracles/{name}.cpp").write_text(oracle(kind, expression))
        text += [f"  {name}:", f"    dims: {dims}", "    tensors:", "      " + tensors.format(),
                 f"    oracle: {{ source: oracles/{name}.cpp }}", f"    tolerance: {{ {tolerance} }}",
                 "    cases: { one: { " + case.format(*SIZES[device][kind]) + " } }"]
    text.append("kernels:")
    for name, problem, source in kernels(cpu):
        (folder / f"kernels/{name}.{ending}").write_text(source)
        text.append(f"  {name}: {{ problem: {problem}, device: {device}, language: {language}, "
                    f"sources: [kernels/{name}.{ending}], include_dirs: [include] }}")
    (folder / "pawl.yaml").write_text("\n".join(text) + "\n")


def change(folder, cpu):
    ending = "cpp" if cpu else "cu"

    def edit(path, before, after):
        text = path.read_text()
        assert before in text, f"{path}: {before}"
        path.write_text(text.replace(before, after))

    edit(folder / "include/shared.h", "share.\n", "share.\n// Keep it short: every kernel is built again when it changes.\n")
    # A real slowdown: exponentials in double.
    slow = folder / f"kernels/exp-mean-256x1.{ending}"
    edit(slow, "sum += expf(v)", "sum += static_cast<float>(exp(static_cast<double>(v)))")
    # The same work in other words, and so other machine code.
    edit(folder / f"kernels/gelu-256x4.{ending}", floats(EXPRESSIONS["gelu"]),
         "0.5f * v * (1 + tanhf(0.79788456f * v * (1 + 0.044715f * v * v)))")


if __name__ == "__main__":
    {"make": make, "change": change}[sys.argv[1]](pathlib.Path(sys.argv[2]), "--cpu" in sys.argv)
