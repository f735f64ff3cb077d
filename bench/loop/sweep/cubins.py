"""
The Triton kernels of the loop, compiled for Hopper in many settings: `cubins.py FOLDER` writes FOLDER/*.cubin and
FOLDER/manifest.txt, which `sweep` reads. Needs Triton, neither PyTorch nor a GPU.
"""

import importlib.util
import itertools
import sys
import types
from pathlib import Path

import triton
from triton.backends.compiler import GPUTarget

here = Path(__file__).resolve().parent.parent
folder = Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
# The kernels' files import PyTorch for what is around the kernel.
for name in ("torch", "torch.nn"):
    sys.modules.setdefault(name, types.ModuleType(name))
sys.modules["torch"].nn = sys.modules["torch.nn"]
sys.modules["torch.nn"].Module = object


def module(path):
    spec = importlib.util.spec_from_file_location(path.replace("/", "_").replace("-", "_")[:-3], here / path)
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


def compiled(kernel, types_, constants, warps, divisible):
    names = kernel.arg_names
    signature = {name: types_.get(name, "constexpr") for name in names}
    at = {(names.index(name),): value for name, value in constants.items()}
    attributes = {(names.index(name),): [["tt.divisibility", 16]] for name in divisible}
    source = triton.compiler.ASTSource(kernel, signature, at, attributes)
    return triton.compile(source, target=GPUTarget("cuda", 90, 32), options={"num_warps": warps})


manifest = []


def add(problem, name, kernel, types_, constants, warps, grid, whole):
    divisible = [key for key, kind in types_.items() if kind.startswith("*") or key in whole]
    made = compiled(kernel, types_, constants, warps, divisible)
    file = f"{problem}-{len(manifest)}.cubin"
    (folder / file).write_bytes(made.asm["cubin"])
    manifest.append(f"{problem} {name} {file} {made.metadata.name} {grid} {32 * warps} {made.metadata.shared}")


HINTS = [("", ""), ("evict_first", ""), ("", "evict_first"), ("evict_first", "evict_first")]



softmax = module("triton-softmax/rows.py")
softmax_types = {"out": "*fp32", "inp": "*fp32", "stride_out": "i32", "stride_in": "i32", "rows": "i32", "columns": "i32"}
for warps, (load, store) in itertools.product((4, 8, 16, 32), HINTS):
    types_ = {name: kind for name, kind in softmax_types.items() if name != "rows"}
    add("softmax", f"PER_WARP={8192 // warps},PER_SM=0,LOAD={load},STORE={store}", softmax.row_softmax, types_,
        {"BLOCK": 8192, "LOAD": load, "STORE": store}, warps, 4096, ("stride_out", "stride_in", "columns"))  # fmt: skip
for (warps, per_sm), (load, store) in itertools.product(((8, 2), (8, 3), (16, 1), (16, 2), (32, 1)), HINTS[::3]):
    add("softmax", f"PER_WARP={8192 // warps},PER_SM={per_sm},LOAD={load},STORE={store}", softmax.walking_softmax, softmax_types,
        {"BLOCK": 8192, "LOAD": load, "STORE": store}, warps, 132 * per_sm, ("stride_out", "stride_in", "rows", "columns"))  # fmt: skip

layernorm = module("triton-layernorm/once.py")
layernorm_types = {
    "x": "*fp16", "y": "*fp16", "weight": "*fp16", "bias": "*fp16", "mean_out": "*fp32", "rstd_out": "*fp32",
    "stride": "i32", "M": "i32", "N": "i32", "eps": "fp32",
}  # fmt: skip
for warps, count, (load, store) in itertools.product((4, 8, 16), (1, 2, 4), HINTS[::3]):
    add("layernorm", f"PER_WARP={8192 // warps},ROWS={count},PER_SM=0,LOAD={load},STORE={store}", layernorm.norm_rows, layernorm_types,
        {"BLOCK": 8192, "ROWS": count, "LOAD": load, "STORE": store}, warps, 4096 // count, ("stride", "M", "N"))  # fmt: skip
for (warps, per_sm), (load, store) in itertools.product(((8, 1), (8, 2), (16, 1), (16, 2), (32, 1)), HINTS[::3]):
    add("layernorm", f"PER_WARP={8192 // warps},ROWS=1,PER_SM={per_sm},LOAD={load},STORE={store}", layernorm.norm_walking, layernorm_types,
        {"BLOCK": 8192, "LOAD": load, "STORE": store}, warps, 132 * per_sm, ("stride", "M", "N"))  # fmt: skip

gelu = module("kernelbench-gelu/gelu.py").gelu
for (block, warps), (load, store) in itertools.product(((512, 4), (1024, 4), (1024, 8), (2048, 8), (2048, 16), (4096, 8)), HINTS[::3]):
    add("gelu", f"BLOCK={block},WARPS={warps},LOAD={load},STORE={store}", gelu, {"inp": "*fp32", "out": "*fp32", "n": "i32"},
        {"BLOCK": block, "LOAD": load, "STORE": store}, warps, (1 << 20) // block, ("n",))  # fmt: skip

(folder / "manifest.txt").write_text("\n".join(manifest) + "\n")
print(f"{len(manifest)} kernels")
