"""What `pawl_inspect.py` finds out about problems of public suites: tasks of GPU MODE."""

from __future__ import annotations

import ast
import inspect
import math
import sys
import threading
import time
from typing import Any, Callable

from pawl_refused import DTYPES, Refused, guarded, kind_of, limit_memory, try_import

#: What functions of the suite compare results with: called so, with `rtol` and `atol`, or for equality.
CLOSE = ("verbose_allclose", "allclose", "assert_close", "match_reference")
EQUAL = ("verbose_allequal", "equal", "array_equal")
#: Where the suite's own functions have no default.
RTOL, ATOL = 1e-5, 1e-8
#: Of inputs that are computed with where it is not needed.
MOST_BYTES = 2**28


def study_task(request: dict[str, Any]) -> dict[str, Any]:
    """The tensors of each of a task's parameter sets, and what its judge compares with."""
    torch = try_import("torch")
    try_import("numpy")
    limit_memory(request["memory_bytes"])
    import pawl_suite

    answers: list[dict[str, Any]] = [dict(TOO_LONG) for _ in request["sets"]]
    refused: list[Refused] = []
    defaults: dict[str, Any] = {}

    def study() -> None:
        try:
            task = _Task(torch, pawl_suite, request)
            defaults.update(task.defaults)
            _study_sets(task, request, answers)
        except Refused as error:
            refused.append(error)

    # Nothing ends a call of LAPACK: what is known by then is the answer.
    worker = threading.Thread(target=study, daemon=True)
    worker.start()
    worker.join(request["most_s"])
    if refused:
        raise refused[0]
    return {"sets": list(answers), "defaults": defaults, "versions": {"torch": torch.__version__}}


TOO_LONG = {"ok": False, "message": "its shapes are known only by computing them, which takes too long"}


def _study_sets(task: _Task, request: dict[str, Any], answers: list[dict[str, Any]]) -> None:
    sets = request["sets"]
    order = sorted(range(len(sets)), key=lambda at: _size(sets[at]))
    deadline = time.monotonic() + request["most_s"] / 2
    last: tuple[float, float] | None = None
    for count, at in enumerate(order):
        # The smallest is computed, to see what it does to memory; others while they are quick, where that is asked.
        is_quick = last is None or last[0] <= request["quick_s"]
        budget = Budget(deadline, last, _size(sets[at]))
        answers[at] = task.answer(sets[at], count == 0, is_quick and request["computes"], budget)
        if answers[at].get("call_s") is not None:
            last = (answers[at]["call_s"], _size(sets[at]))


def _size(parameters: dict[str, Any]) -> float:
    numbers = [value for name, value in parameters.items() if name != "seed" and type(value) in (int, float)]
    lists = [sum(value) for value in parameters.values() if isinstance(value, list)]
    return math.prod(max(1.0, float(one)) for one in [*numbers, *lists])


class Budget:
    """Whether there is time for a call, by the last one's and how much larger it is."""

    def __init__(self, deadline: float, last: tuple[float, float] | None, size: float) -> None:
        self._deadline, self._last, self._size = deadline, last, size

    @property
    def has_time(self) -> bool:
        left_s = self._deadline - time.monotonic()
        # Larger problems take longer than in proportion.
        likely_s = 0.0 if self._last is None else self._last[0] * (self._size / self._last[1]) ** 1.5
        return left_s > 0 and likely_s < left_s


class _Task:
    def __init__(self, torch: Any, suite: Any, request: dict[str, Any]) -> None:
        self._torch, self._suite = torch, suite
        paths = suite.Files("/", request["files"]).paths
        with suite.redirected():
            found = guarded("reference.py cannot be imported: it raised", lambda: __import__("reference"))
        self._reference = suite.completed(found, paths)
        for name in ("generate_input", "ref_kernel", "check_implementation"):
            if not callable(getattr(self._reference, name, None)):
                raise Refused(f"reference.py has no function {name}, which a task must have")
        self._names = _names_of_data(paths["reference"]) or suite.returned_names(paths["reference"], suite.MAKER)
        #: What parameters of generate_input are where a set does not name them.
        self.defaults = {
            name: one.default
            for name, one in inspect.signature(self._reference.generate_input).parameters.items()
            if isinstance(one.default, (bool, int, float, str)) and name != "seed"
        }

    def answer(self, parameters: dict[str, Any], is_first: bool, computes: bool, budget: Budget) -> dict[str, Any]:
        """On PyTorch's `meta` device, which needs neither time nor memory, and on the CPU where that is worth it."""
        given = {name: value for name, value in parameters.items() if name != "seed"}
        try:
            on_meta = self._on_meta(given)
            if on_meta is not None and not (is_first or computes):
                return {"ok": True, **on_meta}
            if on_meta is not None and on_meta["bytes"] > MOST_BYTES:
                return {"ok": True, **on_meta}
            if not is_first and not budget.has_time:
                return dict(TOO_LONG)
            try:
                return {"ok": True, **self._computed(given, is_first)}
            except Refused as error:
                if on_meta is None:
                    raise
                return {"ok": True, **on_meta, "obstacle": str(error)}
        except Refused as error:
            return {"ok": False, "message": str(error)}

    def _on_meta(self, given: dict[str, Any]) -> dict[str, Any] | None:
        suite = self._suite
        try:
            with suite.redirected("meta"):
                data = suite.generated(self._reference.generate_input, given, 0)
                inputs = list(suite.walk(data))
                versions = [tensor._version for _, tensor in inputs]
                results = [tensor for _, tensor in suite.walk(self._reference.ref_kernel(data))]
                changed = {at for at, (_, tensor) in enumerate(inputs) if tensor._version != versions[at]}
                tolerance = self._tolerance(data, results[0] if len(results) == 1 else tuple(results), False)
        except (Exception, SystemExit):
            return None
        places = [next((at for at, (_, one) in enumerate(inputs) if one is result), None) for result in results]
        self._guess_places(inputs, results, places)
        if any(one.device.type != "meta" for _, one in inputs):
            return None
        return self._found(inputs, results, places, changed | {place for place in places if place is not None}, None, tolerance)

    def _guess_places(self, inputs: Any, results: Any, places: list[int | None]) -> None:
        """By its name, where nothing is computed: memory for a result that the reference leaves alone."""
        for at, one in enumerate(results):
            for other, (path, tensor) in enumerate(inputs):
                is_free = places[at] is None and other not in places and tensor.shape == one.shape
                if is_free and self._name(path, len(inputs)) in ("out", "output", "c", "C", "y", "result"):
                    places[at] = other

    def _computed(self, given: dict[str, Any], is_first: bool) -> dict[str, Any]:
        torch, suite = self._torch, self._suite
        if is_first:
            self._call(self._generate(given))
        data = self._generate(given)
        inputs = list(suite.walk(data))
        before = [tensor.clone() for _, tensor in inputs]
        started = time.perf_counter()
        result = self._call(data)
        seconds = time.perf_counter() - started
        results = [tensor for _, tensor in suite.walk(result)]
        if not results:
            raise Refused(f"ref_kernel returned {kind_of(result)}, without any tensor")
        places = [self._place(one, [tensor for _, tensor in inputs]) for one in results]
        changed = {at for at, (_, tensor) in enumerate(inputs) if not _same(torch, tensor, before[at])}
        whole = {place for place, one in zip(places, results) if place is not None and one.shape == inputs[place][1].shape}
        kept = [one.clone() for one in results]
        # What is written in place, and not read before: other contents make no difference.
        read = self._read(given, sorted(whole), kept) if whole else set()
        # Memory for a result that the reference leaves alone, and others need not.
        for at, one in enumerate(results):
            for other, (_, tensor) in enumerate(inputs):
                is_free = places[at] is None and other not in places and tensor.shape == one.shape and tensor.numel() > 1
                if is_free and tensor.is_floating_point() == one.is_floating_point() and not self._read(given, [other], kept):
                    places[at] = other
                    whole.add(other)
        tolerance = self._tolerance(suite.rebuilt(data, iter(before)), result, True)
        inouts = (changed - whole) | read | {place for place in places if place is not None and place not in whole}
        return self._found(inputs, results, places, inouts, seconds, tolerance)

    def _generate(self, given: dict[str, Any]) -> Any:
        def make() -> Any:
            with self._suite.redirected():
                return self._suite.generated(self._reference.generate_input, given, 0)

        return guarded("generate_input raised", make)

    def _call(self, data: Any) -> Any:
        def call() -> Any:
            with self._suite.redirected(), self._torch.no_grad():
                return self._reference.ref_kernel(data)

        return guarded("ref_kernel raised", call)

    def _place(self, result: Any, inputs: list[Any]) -> int | None:
        """Which input's memory a result lies in."""
        pointer = result.storage().data_ptr()
        return next((at for at, one in enumerate(inputs) if one.numel() > 0 and one.storage().data_ptr() == pointer), None)

    def _read(self, given: dict[str, Any], places: list[int], kept: list[Any]) -> set[int]:
        torch, suite = self._torch, self._suite
        read = set()
        for place in places:
            data = self._generate(given)
            tensor = [one for _, one in suite.walk(data)][place]
            tensor.fill_(float("nan") if tensor.is_floating_point() else 1)
            try:
                again = [one for _, one in suite.walk(self._call(data))]
            except Refused:
                again = []
            if len(again) != len(kept) or not all(_same(torch, one, other) for one, other in zip(again, kept)):
                read.add(place)
        return read

    def _tolerance(self, data: Any, result: Any, computes: bool) -> dict[str, Any] | None:
        """What the task's judge compares with, seen while it judges the reference's own result."""
        seen: list[tuple[float, float]] = []
        modules = [self._reference, sys.modules.get("utils"), self._torch, self._torch.testing]
        patched: list[tuple[Any, str, Any]] = []

        def recording(function: Callable[..., Any], is_equal: bool) -> Callable[..., Any]:
            def wrapped(*args: Any, **named: Any) -> Any:
                rtol, atol = (0.0, 0.0) if is_equal else (
                    _number(named.get("rtol", args[2] if len(args) > 2 else None), _default(function, "rtol", RTOL)),
                    _number(named.get("atol", args[3] if len(args) > 3 else None), _default(function, "atol", ATOL)),
                )
                seen.append((rtol, atol))
                if computes:
                    return function(*args, **named)
                return [] if function.__name__.startswith("verbose") else True

            return wrapped

        try:
            for module in modules:
                for name in (*CLOSE, *EQUAL):
                    function = getattr(module, name, None)
                    # match_reference calls verbose_allclose itself, with what it was given.
                    if callable(function) and name != "match_reference":
                        patched.append((module, name, function))
                        setattr(module, name, recording(function, name in EQUAL))
            with self._suite.redirected(None if computes else "meta"), self._torch.no_grad():
                verdict = self._reference.check_implementation(data, result)
        except (Exception, SystemExit) as error:
            if not computes and not seen:
                return None
            if not computes:
                return {"kind": "close", "rtol": max(one for one, _ in seen), "atol": max(one for _, one in seen)}
            return {"kind": "failed", "message": f"{type(error).__name__}: {str(error)[:200]}"}
        finally:
            for module, name, function in reversed(patched):
                setattr(module, name, function)
        is_good = verdict[0] if isinstance(verdict, tuple) and verdict else not verdict
        if not is_good:
            return {"kind": "failed", "message": str(verdict)[:300]}
        if not seen:
            return {"kind": "property"}
        return {"kind": "close", "rtol": max(one for one, _ in seen), "atol": max(one for _, one in seen)}

    def _found(
        self, inputs: Any, results: Any, places: Any, inouts: set[int], seconds: float | None, tolerance: Any
    ) -> dict[str, Any]:
        return {
            "inputs": [
                {"name": self._name(path, len(inputs)), **self._form(self._suite.stored(tensor), f"input {path}"), "inout": at in inouts}
                for at, (path, tensor) in enumerate(inputs)
            ],
            "outputs": [
                {**self._form(self._suite.stored_output(tensor), f"output {at}"), "place": place}
                for at, (tensor, place) in enumerate(zip(results, places))
            ],
            "bytes": sum(tensor.numel() * tensor.element_size() for _, tensor in inputs),
            "call_s": seconds,
            "tolerance": tolerance,
        }

    def _name(self, path: str, count: int) -> str:
        """`0_weight` of `(config, x) = data` is `config_weight`; data that is one tensor has no path."""
        first, _, rest = path.partition("_")
        if path == "":
            return "data"
        known = self._names[int(first)] if first.isdigit() and int(first) < len(self._names) else None
        if known is None or known.strip("_") == "":
            return f"data_{path}" if path[:1].isdigit() else path
        return f"{known}_{rest}" if rest else known

    def _form(self, tensor: Any, what: str) -> dict[str, Any]:
        dtype = str(tensor.dtype).rpartition(".")[2]
        if dtype not in DTYPES:
            raise Refused(f"{what} has elements of type {dtype}, which Pawl does not support")
        return {"dtype": DTYPES[dtype], "shape": [int(extent) for extent in tensor.shape]}


def _same(torch: Any, one: Any, other: Any) -> bool:
    if one.shape != other.shape or one.dtype != other.dtype:
        return False
    return bool(torch.equal(one, other)) or bool(((one == other) | (one != one) & (other != other)).all())


def _number(value: Any, otherwise: float) -> float:
    return float(value) if isinstance(value, (int, float)) else otherwise


def _default(function: Any, name: str, otherwise: float) -> float:
    try:
        found = inspect.signature(function).parameters[name].default
    except (KeyError, TypeError, ValueError):
        return otherwise
    return _number(found, otherwise)


def _names_of_data(path: str) -> list[str]:
    """`a, b, out = data` in ref_kernel names what data has."""
    with open(path, encoding="utf-8") as file:
        tree = ast.parse(file.read())
    for function in tree.body:
        if isinstance(function, ast.FunctionDef) and function.name == "ref_kernel":
            for node in ast.walk(function):
                if isinstance(node, ast.Assign) and isinstance(node.value, ast.Name) and node.value.id == "data":
                    [target] = node.targets[:1]
                    if isinstance(target, ast.Tuple) and all(isinstance(one, ast.Name) for one in target.elts):
                        return [one.id for one in target.elts if isinstance(one, ast.Name)]
    return []
