"""What the judge asks of a Python function: to be loaded, to be given a case, and to be called."""

from __future__ import annotations

import gc
import platform
import sys
from dataclasses import replace
from json import dumps
from typing import Any, Callable, Sequence

from .clocks import replaced_clocks
from .failure import Failure, missing_module, text_of
from .function import PythonFunction
from .preparation import PREPARED, Preparation, host_memory
from .roles import function_of
from .seeds import seed_frameworks
from .tensors import Problem, problem_of

#: About as much as a small object takes: Python counts its blocks, not their sizes.
BLOCK_BYTES = 48


class Kernel:
    def __init__(self, tell: Callable[[dict[str, Any]], None]) -> None:
        self._tell = tell
        self._function: PythonFunction | None = None
        self._preparation: Preparation | None = None
        self._arrays: Any = None
        self._problem: Problem | None = None
        self._sets: list[_Set] = []
        self._graph: tuple[Any, Any] | None = None

    def start(self, request: dict[str, Any]) -> None:
        """In a copy with PyTorch on a GPU: its part of the context, which the first tensor would wait for."""
        if request["device"] != "cuda" or "torch" not in sys.modules:
            return
        try:
            self._arrays = _arrays("torch", request["device_index"], "a kernel")
            self._arrays.wake()
        except BaseException:
            # What is wrong is said when something is loaded.
            self._arrays = None

    def load(self, request: dict[str, Any]) -> None:
        role = request.get("role", "kernel")
        index = request.get("device_index")
        needed_by = f"the {role} {request['function']}"
        # Before the kernel's own code: what comes with a framework is not the kernel's doing.
        if index is not None and self._arrays is None:
            self._arrays = _arrays("torch", index, needed_by)
        self._function = function_of(request, role)
        framework = self._function.framework
        if index is not None and framework == "numpy" and role == "kernel":
            raise Failure("unsupported", f"{self._function.name} takes NumPy arrays, which CUDA devices do not have")
        if self._arrays is None:
            self._arrays = _arrays(framework or "numpy", None, needed_by)
        self._function.build(self._arrays)
        if request.get("prepare") is not None:
            self._preparation = Preparation(request["prepare"], self._function)
        gc.collect()
        # What is here now need not be looked through every time.
        gc.freeze()
        gc.disable()
        versions = {"python": platform.python_version(), **self._arrays.versions()}
        self._tell({"versions": versions, "framework": framework})

    def prepare(self, request: dict[str, Any], addresses: Sequence[int]) -> None:
        self.forget()
        problem = problem_of(request)
        count = len(problem.tensors)
        sets = [addresses[at : at + count] for at in range(0, len(addresses), count)]
        self._problem = problem
        self._sets = [_Set(self._function, self._preparation, self._arrays, problem, each) for each in sets]
        self._sets[0].soil_free_memory()
        self._seed()

    def forget(self) -> None:
        self._sets = []
        self._graph = None
        gc.collect()
        # What serves the judge leaves the memory to those who need it next.
        if self._function is not None and self._function.role != "kernel":
            self._arrays.give_back_memory()

    def give_back(self) -> None:
        """Between calls that are not timed: what the allocator keeps may be more than the oracle finds free."""
        self._arrays.give_back_memory()
        self._sets[0].soil_free_memory()
        self._arrays.synchronize()

    def prepare_inputs(self, index: int) -> None:
        """What was prepared before is freed first, and a graph that reads it is gone with it."""
        if index == 0:
            self._graph = None
        one = self._sets[index]
        one.drop_prepared()
        gc.collect()
        before = self._arrays.device_bytes()
        one.prepare()
        self._arrays.synchronize()
        self._tell({"device_bytes": max(self._arrays.device_bytes() - before, 0)})

    def prepared_memory(self, index: int) -> list[tuple[int, int]]:
        """Addresses and bytes on the host of what was prepared for a set."""
        return host_memory(self._sets[index].prepared)

    def run(self, index: int) -> None:
        one = self._sets[index]
        one.result = one.call()

    def finish(self, index: int) -> None:
        """Puts what the function returned where the judge looks for it."""
        one = self._sets[index]
        aliased = one.hand_in()
        one.soil_free_memory()
        self._seed()
        self._arrays.synchronize()
        if aliased is not None:
            self._tell({"aliased": aliased})

    def _seed(self) -> None:
        """Before a call, and outside of its time, where the problem wants random numbers that are alike."""
        if self._problem.seeded:
            seed_frameworks()

    def capture(self, index: int, batch: int) -> None:
        one = self._sets[index]
        self._graph = None

        def calls() -> Any:
            result = None
            for _ in range(batch):
                result = one.call()
            return result

        try:
            self._graph = self._arrays.capture(calls)
        except BaseException as error:
            failure = self.failed(error)
            if failure.code == "device-lost":
                raise failure from error
            raise Failure("unsupported", f"the call cannot be captured into a graph: {failure.message}") from error

    def run_captured(self) -> None:
        graph, self._sets[0].result = self._graph
        graph.replay()

    def list_launches(self) -> None:
        if not hasattr(self._arrays, "capture"):
            return
        from .kernel_names import kernels_of

        self._tell(kernels_of(self._sets[0].call, self._arrays))

    def measure_memory(self) -> None:
        """What Python's own allocator holds, which the C library does not see. Cycles that wait for the collector are not leaks."""
        gc.collect()
        self._tell({"heap_bytes": sys.getallocatedblocks() * BLOCK_BYTES})

    def list_settings(self) -> None:
        self._tell(replaced_clocks())

    def failed(self, error: BaseException) -> Failure:
        """What went wrong, as an answer: the device's fault where the device says so, else the function's."""
        if isinstance(error, Failure):
            return error
        if isinstance(error, MemoryError):
            return Failure("out-of-memory", text_of(error))
        found = self._arrays.classify(error) if self._arrays is not None else None
        if found is not None:
            return found
        return self._function.failed(error) if self._function is not None else Failure("internal", text_of(error))


class _Set:
    """The tensors of one call. Outputs are the judge's; a function that does not take them returns its own."""

    def __init__(
        self,
        function: PythonFunction,
        preparation: Preparation | None,
        arrays: Any,
        problem: Problem,
        addresses: Sequence[int],
    ) -> None:
        self._function = function
        self._preparation = preparation
        self._arrays = arrays
        self._problem = problem
        self.result: Any = None
        views = {spec.name: arrays.wrap(spec, address) for spec, address in zip(problem.tensors, addresses)}
        self._inputs = {spec.name: views[spec.name] for spec in problem.inputs}
        self._outputs = [views[spec.name] for spec in problem.outputs]
        self.prepared: Any = None
        self.call = self._bound()
        self._make = None if preparation is None else preparation.bind(problem, self._inputs)

    def _bound(self) -> Callable[[], Any]:
        outputs = self._outputs if self._function.takes_out else None
        inputs = list(self._inputs.values())
        if self._preparation is None:
            return self._function.bind(self._problem, inputs, outputs)
        return self._function.bind(self._problem, inputs, outputs, {PREPARED: self.prepared})

    def drop_prepared(self) -> None:
        self.result = self.prepared = None
        self.call = self._bound()

    def prepare(self) -> None:
        try:
            self.prepared = self._make()
            self.call = self._bound()
        except Failure:
            raise
        except BaseException as error:
            failure = self._arrays.classify(error)
            raise failure if failure is not None else self._preparation.failed(error) from error

    def soil_free_memory(self) -> None:
        """
        Memory for outputs that a function makes itself is the allocator's: what a call leaves unwritten would be an
        old right answer there, and is the judge's poison now.
        """
        if not self._function.takes_out and self._function.role == "kernel":
            for spec in self._problem.outputs:
                self._arrays.soil_free_memory(spec)

    def hand_in(self) -> str | None:
        """Refuses what is not as declared; says which input's memory an output lies in."""
        result, self.result = self.result, None
        if self._function.takes_out or not self._outputs:
            return None
        values = _values_of(result)
        name, specs = self._function.name, self._problem.outputs
        if len(values) != len(specs):
            raise Failure("kernel-failed", f"{name} returned {len(values)} outputs where {len(specs)} are declared")
        aliased = None
        for spec, value, output in zip(specs, values, self._outputs):
            if value is None and spec.optional:
                continue
            found = self._arrays.describe(value)
            if found is None:
                kind = f"{type(value).__module__}.{type(value).__qualname__}"
                raise Failure(
                    "kernel-failed", f"{name} returned {kind} for {spec.name} where {self._arrays.wanted} was due"
                )
            if spec.partial and len(found[0]) == len(spec.shape) and found[0][0] <= spec.shape[0]:
                spec = replace(spec, shape=(found[0][0], *spec.shape[1:]))
                output = output[: spec.shape[0]]
            # A number, which has no axis, is what one element is declared for.
            if found[0] == () and spec.shape == (1,):
                found = (spec.shape, found[1])
            if found != (spec.shape, self._arrays.known_as(spec.dtype)) and self._function.role == "kernel":
                raise Failure(
                    "kernel-failed",
                    f"{name} returned {spec.name} as {found[1]}{list(found[0])}; {spec.dtype}{list(spec.shape)} is declared",
                )
            if found[0] != spec.shape:
                raise Failure(
                    "kernel-failed",
                    f"the {self._function.role} {name} returned {spec.name} as {found[1]}{list(found[0])}; the shape {list(spec.shape)} is declared",
                )
            for other, view in self._inputs.items():
                if self._arrays.overlap(value, view):
                    aliased = f"{spec.name} lies in the memory of {other}: no output was made"
            self._arrays.copy(value, output)
        return aliased


def _values_of(result: Any) -> list[Any]:
    """
    What the function returned, one by one. A subclass is read as what it is built on: its own methods could compute the
    values here, after the timed interval. For the same reason it is its type that says so, not what it says of itself.
    """
    for kind in (tuple, list):
        if issubclass(type(result), kind):
            return [*kind.__iter__(result)]
    return [result]


def _arrays(framework: str, device_index: int | None, needed_by: str) -> Any:
    try:
        if framework == "torch":
            from .arrays_torch import TorchArrays

            return TorchArrays(device_index)
        from .arrays_numpy import NumpyArrays

        return NumpyArrays()
    except ModuleNotFoundError as error:
        raise missing_module(error.name or framework, needed_by) from error


def answer_of(failure: Failure) -> str:
    return dumps({"code": failure.code, "message": failure.message})
