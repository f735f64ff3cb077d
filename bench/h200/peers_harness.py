"""
One candidate in KernelBench's own evaluation: peers_harness.py KERNELBENCH PROBLEM CANDIDATE

KERNELBENCH is a checkout, PROBLEM a file in it below KernelBench/, CANDIDATE a file with `ModelNew`. Prints a line of
JSON: what `eval_kernel_against_ref` says, and what it took. Trials are those of KernelBench's own scripts: 5 for
correctness, 100 for time.
"""

import importlib.util
import json
import sys
import time
import types
from pathlib import Path

CORRECT_TRIALS, TIMED_TRIALS = 5, 100
# Imported by KernelBench for asking language models and for progress bars, which an evaluation does not do.
NOT_NEEDED = {
    "dotenv": ["load_dotenv"],
    "openai": ["OpenAI"],
    "litellm": ["completion"],
    "tqdm": ["tqdm"],
    "requests": [],
}


def without_what_is_not_needed():
    """Names of modules that are not installed, for which an empty one stands in."""
    missing = [name for name in [*NOT_NEEDED, "pydantic"] if importlib.util.find_spec(name) is None]
    for name in missing:
        module = types.ModuleType(name)
        for attribute in NOT_NEEDED.get(name, []):
            setattr(module, attribute, lambda *_, **__: None)
        if name == "pydantic":
            module.BaseModel = Record
        sys.modules[name] = module
    return missing


class Record:
    """What KernelBench uses of pydantic's BaseModel: fields by name, with the defaults of the class."""

    def __init__(self, **fields):
        for name in type(self).__annotations__:
            setattr(self, name, fields.get(name, getattr(type(self), name, None)))


def evaluated(kernelbench, problem, candidate):
    sys.path.insert(0, str(kernelbench / "src"))
    import torch
    from kernelbench.eval import eval_kernel_against_ref

    source = candidate.read_text()
    started = time.perf_counter()
    result = eval_kernel_against_ref(
        (kernelbench / "KernelBench" / problem).read_text(),
        source,
        num_correct_trials=CORRECT_TRIALS,
        num_perf_trials=TIMED_TRIALS,
        measure_performance=True,
        device=torch.device("cuda:0") if torch.cuda.is_available() else None,
        backend="triton" if "import triton" in source else "cuda",
    )
    eval_s = time.perf_counter() - started
    if result is None:
        return {"eval_s": eval_s, "error": "KernelBench has no answer"}
    times = {"candidate_ms": result.runtime, "reference_ms": result.ref_runtime}
    is_timed = all(value is not None and value > 0 for value in times.values())
    return {
        "eval_s": eval_s,
        "compiled": result.compiled,
        "correct": result.correctness,
        **(times if is_timed else {}),
        **({"speedup": result.ref_runtime / result.runtime} if is_timed else {}),
    }


def main():
    started = time.perf_counter()
    kernelbench, problem, candidate = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
    row = {"harness": "KernelBench", "problem": problem, "candidate": candidate.name}
    missing = without_what_is_not_needed()
    # What it prints on the way is not for who reads lines of JSON.
    out, sys.stdout = sys.stdout, sys.stderr
    try:
        row.update(evaluated(kernelbench, problem, candidate))
    except Exception as error:  # noqa: BLE001: a candidate may raise anything
        row["error"] = f"{type(error).__name__}: {error}"[:300]
    row["process_s"] = time.perf_counter() - started
    if missing:
        row["stood_in_for"] = missing
    print(json.dumps(row), file=out, flush=True)


main()
