"""One prepared case: the kernel bound to its buffer sets."""

from __future__ import annotations

from typing import Any, Callable

from .failure import Failure
from .problem import Problem
from .python_function import PythonFunction


class BufferSet:
    """The tensors of one call. Outputs are ours only where the function takes `out`; else it returns its own."""

    def __init__(self, problem: Problem, function: PythonFunction, arrays: Any, index: int) -> None:
        self._index = index
        self._function = function
        self._arrays = arrays
        self._problem = problem
        specs = problem.tensors if function.takes_out else problem.inputs
        self.tensors = [arrays.allocate(spec, problem.tensors.index(spec)) for spec in specs]
        self.inputs = [tensor for tensor in self.tensors if tensor.spec.role != "output"]
        self._outs = [tensor for tensor in self.tensors if tensor.spec.role == "output"]
        #: The call to be timed. Nothing of the runner's lies inside it.
        self.call = function.bind(
            problem,
            [tensor.view for tensor in self.inputs],
            [tensor.view for tensor in self._outs] if function.takes_out else None,
        )

    def fill(self, seed: int) -> None:
        for tensor in self.inputs:
            tensor.fill(seed, self._index)
        self.poison()

    def reset(self) -> None:
        """Undoes what a call did: inouts hold their first contents again, outputs the poison."""
        for tensor in self.inputs:
            if tensor.spec.role == "inout":
                tensor.restore()
        self.poison()

    def restore(self) -> None:
        """As `reset`, and inputs that a call should not have changed hold their contents again, too."""
        for tensor in self.inputs:
            tensor.restore()
        self.poison()

    def poison(self) -> None:
        for tensor in self._outs:
            tensor.poison()

    def returned(self, result: Any) -> list[Any]:
        """The outputs in declared order, after a call; refuses what is not as declared."""
        if self._function.takes_out:
            return self.own_outputs()
        specs = self._problem.outputs
        if not specs:
            return []
        values = list(result) if isinstance(result, (tuple, list)) else [result]
        name = self._function.name
        if len(values) != len(specs):
            raise Failure("kernel-failed", f"{name} returned {len(values)} outputs where {len(specs)} are declared")
        for spec, value in zip(specs, values):
            found = self._arrays.describe(value)
            if found is None:
                kind = f"{type(value).__module__}.{type(value).__qualname__}"
                wanted = "a PyTorch tensor on the case's device" if self._arrays.framework == "torch" else "a NumPy array"
                raise Failure("kernel-failed", f"{name} returned {kind} for {spec.name} where {wanted} was due")
            if found != (spec.shape, spec.dtype):
                raise Failure(
                    "kernel-failed",
                    f"{name} returned {spec.name} as {found[1]}{list(found[0])}; {spec.dtype}{list(spec.shape)} is declared",
                )
        return values

    def own_outputs(self) -> list[Any]:
        """The outputs that lie in our buffers: all of them, or none."""
        return [tensor.view for tensor in self._outs]

    def inouts(self) -> list[Any]:
        return [tensor for tensor in self.inputs if tensor.spec.role == "inout"]


class Case:
    def __init__(
        self,
        problem: Problem,
        function: PythonFunction,
        arrays: Any,
        classify: Callable[[BaseException], Failure | None],
        seed: int,
        set_count: int,
    ) -> None:
        self.problem = problem
        self.function = function
        self.arrays = arrays
        self.seed = seed
        self._classify = classify
        self.sets = [BufferSet(problem, function, arrays, index) for index in range(set_count)]
        for buffers in self.sets:
            buffers.fill(seed)

    def run(self, buffers: BufferSet) -> list[Any]:
        """One call on fresh inputs and outputs, waited for."""
        buffers.restore()
        try:
            result = buffers.call()
            self.arrays.synchronize()
        except BaseException as error:
            raise self.failed(error) from error
        return buffers.returned(result)

    def failed(self, error: BaseException) -> Failure:
        """What a call raised, as an answer: the device's fault where the device says so, else the function's."""
        return self._classify(error) or self.function.failed(error)
