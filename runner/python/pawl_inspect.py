"""
What a Python file has that can be adopted, for `pawl adopt`, which starts it in a sandbox:

    python3 -B -u -X utf8 runner/python/pawl_inspect.py < request.json

The file is read as text first, and nothing of it runs. Then it is imported and called under limits, on PyTorch's
`meta` device where that works: tensors with shapes and no memory. The answer is one JSON document on what was standard
output; what the file prints goes to standard error.
"""

from __future__ import annotations

import ast
import importlib.util
import json
import os
import random
import sys
import time
from typing import Any, Callable

from pawl_candidate.definitions import definitions_of
from pawl_inspect_nature import draws, nature_of
from pawl_inspect_text import imports_in, parameters_of
from pawl_refused import DTYPES, Refused, guarded, kind_of, limit_memory, try_import

#: A call that takes this long needs no warming up.
LONG_S = 0.5
#: Recurrent layers are slow to call even where nothing is computed: each of their steps is a call, and watched.
LONG_META_S = 10


def look(path: str) -> dict[str, Any]:
    """What the text of a file defines at its top level."""
    with open(path, encoding="utf-8") as file:
        source = file.read()
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None)
        raise Refused(f"it is not Python: {error.args[0]}{f' (line {line})' if line else ''}") from error
    functions, classes, constants = [], [], {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            functions.append({"name": node.name, "line": node.lineno, "parameters": parameters_of(node.args)})
        elif isinstance(node, ast.ClassDef):
            classes.append(class_in(node, tree))
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                assign(target, node.value, constants)
    return {
        "functions": functions,
        "classes": classes,
        "constants": constants,
        "imports": sorted(set(imports_in(tree))),
        "names": sorted({target.id for node in tree.body if isinstance(node, ast.Assign)
                         for target in node.targets if isinstance(target, ast.Name)}),
        "needs_gpu": any(is_for_gpu(node) for node in ast.walk(tree)),
        "triton": triton_in(tree, source),
    }


def assign(target: ast.AST, value: ast.AST | None, constants: dict[str, int]) -> None:
    """The last assignment counts, also of `height, width = 32, 32`, and one whose value has to be run."""
    if isinstance(target, ast.Name):
        constants.pop(target.id, None)
        number = whole_number(value)
        if number is not None:
            constants[target.id] = number
    elif isinstance(target, (ast.Tuple, ast.List)):
        values = value.elts if isinstance(value, (ast.Tuple, ast.List)) else []
        is_each = len(values) == len(target.elts) and not any(isinstance(one, ast.Starred) for one in [*target.elts, *values])
        for at, one in enumerate(target.elts):
            assign(one, values[at] if is_each else None, constants)


def class_in(node: ast.ClassDef, tree: ast.Module) -> dict[str, Any]:
    """A class, with what it inherits from others of the file."""
    others = {each.name: each for each in tree.body if isinstance(each, ast.ClassDef)}
    line, bases = [node], []
    for each in line:
        for base in each.bases:
            name = ast.unparse(base)
            bases.append(name)
            if name in others and others[name] not in line:
                line.append(others[name])

    def method(name: str) -> list[dict[str, Any]] | None:
        for each in line:
            for found in each.body:
                if isinstance(found, ast.FunctionDef) and found.name == name:
                    return parameters_of(found.args)[1:]
        return None

    return {
        "name": node.name,
        "line": node.lineno,
        "forward": method("forward"),
        "init": method("__init__") or [],
        "is_module": any(name.rpartition(".")[2] == "Module" for name in bases),
    }


def triton_in(tree: ast.Module, source: str) -> dict[str, Any] | None:
    """Its Triton kernels, and the functions that launch them."""
    if not any(name.partition(".")[0] == "triton" for name in imports_in(tree)):
        return None
    from pawl_inspect_triton import TritonFile

    try:
        return TritonFile(tree, source).look()
    except (SyntaxError, ValueError) as error:
        raise Refused(f"it is not Python: {error.args[0]}") from error


def whole_number(node: ast.AST | None) -> int | None:
    """`16`, `131072 * 4`: nothing that has to be run to be known."""
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return node.value if abs(node.value) < 2**53 else None
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, (ast.Add, ast.Sub, ast.Mult)):
        return None
    left, right = whole_number(node.left), whole_number(node.right)
    if left is None or right is None:
        return None
    value = left + right if isinstance(node.op, ast.Add) else left - right if isinstance(node.op, ast.Sub) else left * right
    return value if abs(value) < 2**53 else None


def is_for_gpu(node: ast.AST) -> bool:
    """Triton, sources in CUDA, and `.cuda()`: what a machine without a GPU cannot call."""
    if isinstance(node, ast.Import):
        return any(alias.name.partition(".")[0] == "triton" for alias in node.names)
    if isinstance(node, ast.ImportFrom):
        return (node.module or "").partition(".")[0] == "triton"
    if isinstance(node, ast.keyword):
        return node.arg == "cuda_sources"
    return isinstance(node, ast.Attribute) and node.attr == "cuda" and isinstance(node.ctx, ast.Load) and not (
        isinstance(node.value, ast.Name) and node.value.id == "torch"
    )


class Subject:
    """An imported file, and calls of it in chosen sizes."""

    def __init__(self, request: dict[str, Any]) -> None:
        self._request = request
        #: Of the module, whatever its sizes.
        self._nature: dict[str, bool] = {}
        self._torch = try_import("torch") if request["framework"] == "torch" else None
        self._numpy = try_import("numpy")
        limit_memory(request["memory_bytes"])
        self._module = import_file(request["file"], request["function"] if request.get("only") else None)

    @property
    def versions(self) -> dict[str, str]:
        return {} if self._torch is None else {"torch": self._torch.__version__}

    def call(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Inputs, weights and outputs with these values of the file's constants."""
        for name, value in asked["constants"].items():
            setattr(self._module, name, value)
        self._seed()
        if self._torch is None:
            return self._called(asked)
        from pawl_suite import redirected

        # There is no GPU here, and shapes and types are the same without one.
        with self._torch.no_grad(), redirected("meta" if asked["on"] == "meta" else None):
            return self._called(asked)

    def _called(self, asked: dict[str, Any]) -> dict[str, Any]:
        request = self._request
        given, keywords = asked.get("inputs"), asked.get("keywords", {})
        inputs = self._made() if given is None else [self._random(one["shape"], one["dtype"]) for one in given]
        # Of a class they are scalars, by the names that `forward` has for them.
        is_class = isinstance(getattr(self._module, request["function"], None), type)
        numbers = [at for at, value in enumerate(inputs) if is_class and is_number(value)]
        found: dict[str, Any] = {
            "inputs": [self._laid_out(value, f"input {at + 1}") for at, value in enumerate(inputs) if at not in numbers],
            "numbers": [{"at": at, "value": inputs[at], "whole": isinstance(inputs[at], int)} for at in numbers],
        }
        function, weights, init = self._function()
        found["init"] = init
        found["weights"] = [{"name": name, **self._form(value, name)} for name, value in weights]
        started = time.perf_counter()
        (result, seconds), is_random = self._watched(function, asked["on"], lambda: function(*inputs, **keywords))
        outputs = list(result) if isinstance(result, (tuple, list)) else [result]
        found["outputs"] = [self._form(value, f"output {at + 1}") for at, value in enumerate(outputs)]
        found["call_s"] = seconds
        if self._torch is not None and isinstance(function, self._torch.nn.Module):
            is_long = asked["on"] == "meta" and time.perf_counter() - started > LONG_META_S
            self._nature = self._nature or nature_of(function, inputs, keywords, is_long, is_random)
            found.update(self._nature)
        return found

    def _watched(self, function: Any, on: str, call: Callable[[], Any]) -> tuple[tuple[Any, float | None], bool | None]:
        """What a call returned, what it took, and whether it drew random numbers, where one call can tell both."""
        words = f"{self._request['function']} raised"
        if on == "meta" and not self._nature and isinstance(function, self._torch.nn.Module):
            try:
                return draws(lambda: guarded(words, lambda: timed(call, on)))
            except Refused:
                pass  # It may not work while it is watched.
        return guarded(words, lambda: timed(call, on)), None

    def _made(self) -> list[Any]:
        make = getattr(self._module, "get_inputs", None)
        if not callable(make):
            raise Refused("it has no function get_inputs")
        made = guarded("get_inputs raised", make)
        if not isinstance(made, (tuple, list)):
            raise Refused(f"get_inputs returned {kind_of(made)}, not a list of tensors")
        return list(made)

    def _function(self) -> tuple[Callable[..., Any], list[tuple[str, Any]], str]:
        """The function, or the module of a class with its parameters, and what its constructor got as text."""
        name = self._request["function"]
        found = getattr(self._module, name, None)
        if not isinstance(found, type):
            if not callable(found):
                raise Refused(f"it has no function or class {name}")
            return found, [], ""
        make = getattr(self._module, "get_init_inputs", None)
        if self._request.get("init") is not None:
            given = self._request["init"]
        else:
            given = guarded("get_init_inputs raised", make) if callable(make) else []
        if not isinstance(given, (tuple, list, dict)):
            raise Refused(f"get_init_inputs returned {kind_of(given)}, not a list")
        built = guarded(f"{name} raised", lambda: found(**given) if isinstance(given, dict) else found(*given))
        if self._torch is None or not isinstance(built, self._torch.nn.Module):
            raise Refused(f"{name} is not an nn.Module")
        return built, list(built.named_parameters()), repr(given)[:10_000]

    def _random(self, shape: list[int], dtype: str) -> Any:
        long = next(name for name, short in DTYPES.items() if short == dtype)
        if self._torch is not None:
            kind = getattr(self._torch, long)
            return self._torch.randn(shape).to(kind) if kind.is_floating_point else self._torch.zeros(shape, dtype=kind)
        return self._numpy.random.default_rng(0).standard_normal(shape).astype(long)

    def _form(self, value: Any, what: str) -> dict[str, Any]:
        arrays = [each for each in (self._torch and self._torch.Tensor, self._numpy and self._numpy.ndarray) if each]
        if self._torch is None and self._numpy is not None:
            arrays.append(self._numpy.generic)
        if not isinstance(value, tuple(arrays)):
            wanted = "a tensor" if self._torch is not None else "an array"
            raise Refused(f"{what} of {self._request['function']} is {kind_of(value)}, not {wanted}")
        dtype = str(value.dtype).rpartition(".")[2]
        if dtype not in DTYPES:
            raise Refused(f"{what} of {self._request['function']} has elements of type {dtype}, which Pawl does not support")
        return {"dtype": DTYPES[dtype], "shape": [int(extent) for extent in value.shape]}

    def _laid_out(self, value: Any, what: str) -> dict[str, Any]:
        """With strides where it is a view of PyTorch whose elements do not lie one after the other."""
        form = self._form(value, what)
        if self._torch is not None and isinstance(value, self._torch.Tensor) and not value.is_contiguous():
            form["strides"] = list(value.stride())
            form["offset"] = value.storage_offset()
        return form

    def _seed(self) -> None:
        random.seed(0)
        if self._numpy is not None:
            self._numpy.random.seed(0)
        if self._torch is not None:
            self._torch.manual_seed(0)


def is_number(value: Any) -> bool:
    """One that pawl.yaml can name: neither NaN nor more digits than JSON has."""
    return type(value) in (int, float) and abs(value) < 2**53


def timed(call: Callable[[], Any], on: str) -> tuple[Any, float | None]:
    """What a call returned and how long it took: the second time, unless the first one was long already."""
    for _ in range(2):
        started = time.perf_counter()
        result = call()
        seconds = time.perf_counter() - started
        if on == "meta" or seconds > LONG_S:
            break
    return result, None if on == "meta" else seconds


def import_file(path: str, only: str | None = None) -> Any:
    """The module, or of it what one function needs."""
    words = "it cannot be imported: it raised"
    if only is not None:
        return guarded(words, lambda: definitions_of(path, only))
    sys.path.insert(0, os.path.dirname(path))
    spec = importlib.util.spec_from_file_location("pawl_inspected", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["pawl_inspected"] = module
    guarded(words, lambda: spec.loader.exec_module(module))
    return module


def call_all(request: dict[str, Any]) -> dict[str, Any]:
    """Each of the calls that are asked for, up to the first that takes too long, where that is said."""
    subject = Subject(request)
    answers = []
    started = time.perf_counter()
    for one in request["calls"]:
        if answers and request.get("all_s") is not None and time.perf_counter() - started > request["all_s"]:
            break
        try:
            found = subject.call(one)
            answers.append({"ok": True, **found})
        except Refused as error:
            answers.append({"ok": False, "message": str(error)})
            continue
        if request.get("most_s") is not None and (found["call_s"] or 0) > request["most_s"]:
            break
    return {"calls": answers, "versions": subject.versions}


def answer_to(request: dict[str, Any]) -> dict[str, Any]:
    if request["what"] == "look":
        return look(request["file"])
    if request["what"] == "call":
        return call_all(request)
    from pawl_inspect_suites import study_task

    return study_task(request)


def main() -> None:
    request = json.load(sys.stdin)
    # What the file prints must not be taken for the answer.
    answer = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    try:
        found = {"ok": True, **answer_to(request)}
    except Refused as error:
        found = {"ok": False, "message": str(error)}
    except MemoryError:
        found = {"ok": False, "message": "it takes more memory than it was given"}
    json.dump(found, answer)
    answer.flush()
    os._exit(0)


main()
