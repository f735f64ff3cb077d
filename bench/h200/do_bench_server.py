"""
Times kernels with Triton's tools when it is asked to, beside `bench/beside-do-bench.ts`: python3 do_bench_server.py PROJECT

Each line of standard input is a kernel's name and what to do, in JSON; each line of the answer is a JSON object. PROJECT
is what bench/beside-do-bench/project.mjs made; its kernels.json says how to call each. The last kernel stays loaded, so
that it can be timed again.
"""

import importlib.util
import json
import os
import sys
import time

import torch
from triton.testing import do_bench, do_bench_cudagraph

root = os.path.abspath(sys.argv[1])
#: Answers go here; what a kernel prints goes to standard error.
answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)
TYPES = {"f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32, "f64": torch.float64}
GPU = torch.cuda.is_available()


def imported(path, name):
    folder = os.path.dirname(path)
    sys.path.insert(0, folder)
    try:
        spec = importlib.util.spec_from_file_location(name, path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module
    finally:
        sys.path.remove(folder)


def on_device(one):
    return one.cuda() if GPU and isinstance(one, torch.Tensor) else one


def model_of(call):
    problem = imported(os.path.join(root, call["file"]), "problem")
    solution = imported(os.path.join(root, call["module"]), "solution")
    model = getattr(solution, call["function"])(*problem.get_init_inputs())
    model = model.cuda() if GPU else model
    inputs = [on_device(one) for one in problem.get_inputs()]
    return lambda: model(*inputs)


def task_of(call):
    folder = os.path.dirname(os.path.join(root, call["file"]))
    for name in ("task", "utils", "reference", "eval"):
        sys.modules.pop(name, None)
    # Files of a task that lie in the folder above are imported as if they were beside it.
    sys.path[:0] = [folder, os.path.dirname(folder)]
    try:
        reference = importlib.import_module("reference")
    finally:
        del sys.path[:2]
    data = reference.generate_input(**call["dims"], seed=4242)
    return lambda: reference.ref_kernel(data)


def function_of(call):
    function = getattr(imported(os.path.join(root, call["module"]), "adopted_" + call["function"]), call["function"])
    device = "cuda" if GPU else "cpu"
    inputs = [torch.randn(one["shape"], device=device, dtype=TYPES[one["dtype"]]) for one in call["inputs"]]
    return lambda: function(*inputs, **call["tunables"])


def host_us(call):
    """What a call takes on the host, while the device has enough to do not to be waited for."""
    call()
    torch.cuda.synchronize()
    started = time.perf_counter()
    for _ in range(10):
        call()
    took = time.perf_counter() - started
    torch.cuda.synchronize()
    return 1e6 * took / 10


LOADERS = {"model": model_of, "task": task_of, "function": function_of}
calls = {one["name"]: one for one in json.load(open(os.path.join(root, "kernels.json")))}
if GPU:
    torch.set_default_device("cuda")
loaded = {}
for line in sys.stdin:
    asked = json.loads(line)
    name = asked["name"]
    answer = {}
    try:
        with torch.no_grad():
            if name not in loaded:
                loaded.clear()
                if GPU:
                    torch.cuda.empty_cache()
                loaded[name] = LOADERS[calls[name]["kind"]](calls[name])
            call = loaded[name]
            if asked["how"] == "graph":
                answer["us"] = 1000 * do_bench_cudagraph(call, return_mode="median")
            else:
                answer["us"] = 1000 * do_bench(call, return_mode="median")
                answer["host_us"] = host_us(call) if GPU else 0
    except BaseException as error:
        answer["error"] = f"{type(error).__name__}: {error}"[:300]
    print(json.dumps(answer), file=answers, flush=True)
