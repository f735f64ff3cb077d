"""`check`: the kernel's outputs against the oracle's, and the guards."""

from __future__ import annotations

from typing import Any

from .case import Case
from .compare import compare
from .guards import distinct, inspect_set, poison_returned, tamper


def check(case: Case, oracle: Any, atol: float, rtol: float, seed: int) -> dict[str, Any]:
    buffers = case.sets[0]
    arrays = case.arrays
    buffers.fill(seed)
    try:
        exact = {tensor.spec.name: arrays.to_exact(tensor.view) for tensor in buffers.inputs}
        poison_returned(case, buffers, case.run(buffers))
        outputs = case.run(buffers)
        tampering = inspect_set(case, buffers, outputs)
        unwritten = {one["tensor"] for one in tampering if one["detector"] == "unwritten-output"}
        specs = [*case.problem.outputs, *(tensor.spec for tensor in buffers.inouts())]
        first = [arrays.copy(value) for value in [*outputs, *(tensor.view for tensor in buffers.inouts())]]
        poison_returned(case, buffers, outputs)
        del outputs
        again = [*case.run(buffers), *(tensor.view for tensor in buffers.inouts())]
        for spec, one, other in zip(specs, first, again):
            if spec.name not in unwritten and not arrays.same_bits(one, other):
                message = f"{spec.name} differs between two runs on the same inputs"
                tampering.append(tamper("nondeterministic", spec.name, message))
        want = oracle.compute(case.problem, exact)
        tensors = [
            compare(spec.name, spec.shape, arrays.to_exact(value), want[spec.name], atol, rtol)
            for spec, value in zip(specs, first)
        ]
    finally:
        buffers.fill(case.seed)
    passed = not tampering and all(tensor["mismatches"] == 0 for tensor in tensors)
    return {"passed": passed, "oracle": oracle.name, "tensors": tensors, "tampering": distinct(tampering)}
