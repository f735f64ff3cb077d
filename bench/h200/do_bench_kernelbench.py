"""
What Triton's do_bench measures of KernelBench problems: python3 bench/h200/do_bench_kernelbench.py FILE...

Prints a line of JSON for each. Beside `bench/timed-copies.ts`, which measures the same models with Pawl.
"""

import importlib.util
import json
import sys

import torch
from triton.testing import do_bench

torch.set_default_device("cuda")
for path in sys.argv[1:]:
    row = {"file": path}
    try:
        spec = importlib.util.spec_from_file_location("problem", path)
        problem = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(problem)
        with torch.no_grad():
            inputs = [one.cuda() if isinstance(one, torch.Tensor) else one for one in problem.get_inputs()]
            model = problem.Model(*problem.get_init_inputs()).cuda()
            row["do_bench_us"] = [1000 * do_bench(lambda: model(*inputs), return_mode="median") for _ in range(3)]
    except Exception as error:
        row["error"] = f"{type(error).__name__}: {error}"[:300]
    print(json.dumps(row), flush=True)
    model = inputs = problem = None
    torch.cuda.empty_cache()
