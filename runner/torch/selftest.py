"""
python -m NAME.selftest [--seed N] [--json]: runs the operator at every shape of its table and compares it with the
oracle of the problem, by the tolerances that it was proven by. Ends with 0 where all are right, and with 1 otherwise.
"""

from __future__ import annotations

import argparse
import importlib
import json
import secrets
import sys
from typing import Any, Dict, List

import torch

from ._compare import compare
from ._inputs import make_inputs
from ._oracle import Oracle
from ._table import Row, Table


def tested(package: Any, oracle: Oracle, row: Row, seed: int) -> Dict[str, Any]:
    table: Table = package.table
    inputs = make_inputs(table, row, table.device, seed)
    given = [one.clone() for one in inputs]
    numbers = [value for dim, value in zip(table.dims, row.dims) if "tensor" not in dim]
    numbers += [int(v) if one["dtype"].startswith("i") else v for one, v in zip(table.scalars, row.scalars)]
    with torch.no_grad():
        returned = package.op(*inputs, *numbers)
    outputs = iter([] if returned is None else [returned] if isinstance(returned, torch.Tensor) else list(returned))
    places = iter(inputs)
    found = []
    for form in table.tensors:
        place = None if form.role == "output" else next(places)
        if form.role != "input":
            found.append((form, next(outputs) if place is None else place))
    for form, before, after in zip(table.inputs, given, inputs):
        if form.role == "input" and not same_bytes(before, after):
            return {"case": row.case, "ok": False, "reason": f"the input {form.name} was changed"}
    right = oracle.right(row, given)
    reference = oracle.reference(row, given) if oracle.has_reference else [None] * len(right)
    tolerance = row.entry["tolerance"]
    worst, largest = 0.0, 0.0
    for (form, got), want, own in zip(found, right, reference):
        rule = tolerance.get("outputs", {}).get(form.name, tolerance)
        compared = compare(got, want, form.dtype, rule, own)
        worst, largest = max(worst, compared.worst_share), max(largest, compared.max_abs_err)
        if not compared.ok:
            return {"case": row.case, "ok": False, "reason": f"{form.name}: {compared.reason}"}
    return {"case": row.case, "ok": True, "worst_share": worst, "max_abs_err": largest}


def same_bytes(one: torch.Tensor, other: torch.Tensor) -> bool:
    return bool(torch.equal(bytes_of(one), bytes_of(other)))


def bytes_of(tensor: torch.Tensor) -> torch.Tensor:
    return tensor.contiguous().reshape(-1).view(torch.uint8)


def main(arguments: List[str]) -> int:
    name = __package__ or "selftest"
    parser = argparse.ArgumentParser(prog=f"python -m {name}.selftest")
    parser.add_argument("--seed", type=int, default=None, help="of the inputs; default: another one each time")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    options = parser.parse_args(arguments)
    seed = secrets.randbits(31) if options.seed is None else options.seed
    package = importlib.import_module(name)
    oracle = Oracle(package.table)
    results = []
    for row in package.table.rows:
        try:
            result = tested(package, oracle, row, seed)
        except (RuntimeError, ValueError) as error:
            result = {"case": row.case, "ok": False, "reason": str(error).splitlines()[0]}
        results.append(result)
        if not options.json:
            ok = result["ok"]
            detail = f"error {100 * result['worst_share']:.0f} % of the tolerance" if ok else result["reason"]
            print(f"{'right' if ok else 'WRONG'}  {package.table.row_text(row)}  {detail}")
    passed = sum(one["ok"] for one in results)
    if options.json:
        report = {"operator": package.table.name, "binding": package.binding, "seed": seed}
        if package.binding_problem is not None:
            report["binding_problem"] = package.binding_problem
        print(json.dumps({**report, "passed": passed, "shapes": len(results), "results": results}))
    else:
        print(f"{passed} of {len(results)} shapes are right (binding: {package.binding}, seed {seed})")
        if package.binding_problem is not None:
            print(f"There is no native binding: {package.binding_problem}")
    return 0 if passed == len(results) and passed > 0 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
