"""One prepared case: the kernel bound to its buffer sets."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Callable, Sequence

from .failure import Failure
from .problem import POISON, Problem, TensorSpec
from .python_function import PythonFunction

if TYPE_CHECKING:
    # NumPy comes with it, which must not be imported before the process is pinned.
    from .fresh_values import Patch

_clock_ns = time.perf_counter_ns


class BufferSet:
    """The tensors of one call. Outputs are ours only where the function takes `out`; else it returns its own."""

    def __init__(self, problem: Problem, function: PythonFunction, arrays: Any, index: int) -> None:
        self._index = index
        self._function = function
        self._arrays = arrays
        self._problem = problem
        #: The seed of the contents. None until they are needed: a case that is only checked needs one set.
        self._filled_with: int | None = None
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
        self._filled_with = seed
        self.poison()

    def ready(self, seed: int) -> None:
        """Undoes what calls did: this seed's contents, inouts as they were first, outputs poisoned."""
        if self._filled_with == seed:
            self.reset()
        else:
            self.fill(seed)

    def forget(self) -> None:
        """Says that the contents are not to be relied on."""
        self._filled_with = None

    def reset(self) -> None:
        """Undoes what a call did: inouts hold their first contents again, outputs the poison."""
        for tensor in self.inputs:
            if tensor.spec.role == "inout":
                tensor.restore()
        self.poison()

    def restore(self, poison: int) -> None:
        """As `reset`, and inputs that a call should not have changed hold their contents again, too."""
        for tensor in self.inputs:
            tensor.restore()
        self.poison(poison)

    def poison(self, byte: int | None = None) -> None:
        """Fills outputs with this byte, or with what they hold before timed calls."""
        for tensor in self._outs:
            tensor.poison(tensor.spec.timed_poison if byte is None else byte)

    def freshen(self, random: Any) -> list[Patch]:
        """New contents at the same addresses: a few elements of each input. Inouts start from their first contents."""
        for tensor in self.inouts():
            tensor.restore()
        return [tensor.freshen(random) for tensor in self.inputs]

    def apply(self, patches: Sequence[Patch]) -> None:
        """The contents that `freshen` made once, again, whatever calls did to them since."""
        for tensor, patch in zip(self.inputs, patches):
            tensor.restore()
            tensor.apply(patch)

    def settle(self) -> None:
        """Undoes `freshen` where calls change nothing."""
        for tensor in self.inputs:
            if tensor.spec.role == "input":
                tensor.settle()

    def guard_with(self, byte: int) -> None:
        for tensor in self.tensors:
            tensor.guard_with(byte)

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

    def written(self, outputs: Sequence[Any]) -> list[tuple[TensorSpec, Any]]:
        """Everything a call writes: the outputs given, and the inouts as they are now."""
        return [*zip(self._problem.outputs, outputs), *((tensor.spec, tensor.view) for tensor in self.inouts())]


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
        #: Wall time inside calls so far, and of the last one; what watches calls while an audit is on.
        self.kernel_ms = 0.0
        self.last_call_ms = 0.0
        self.watched: Callable[[Callable[[], Any]], Any] | None = None
        self._series = 0
        self.sets = [BufferSet(problem, function, arrays, index) for index in range(set_count)]

    def ready(self, buffers: BufferSet) -> None:
        buffers.ready(self.seed)

    def count_series(self) -> int:
        """1 for the first series of this case, and so on: no two have the same fresh contents."""
        self._series += 1
        return self._series

    def run(self, buffers: BufferSet, poison: int = POISON) -> list[Any]:
        """One call on fresh inputs and outputs, waited for."""
        buffers.restore(poison)
        return self.call(buffers)

    def call(self, buffers: BufferSet) -> list[Any]:
        """One call on the buffers as they are, waited for."""
        begin_ns = _clock_ns()
        try:
            result = buffers.call() if self.watched is None else self.watched(buffers.call)
            self.arrays.synchronize()
        except BaseException as error:
            raise self.failed(error) from error
        self.last_call_ms = (_clock_ns() - begin_ns) / 1e6
        self.kernel_ms += self.last_call_ms
        return buffers.returned(result)

    def failed(self, error: BaseException) -> Failure:
        """What a call raised, as an answer: the device's fault where the device says so, else the function's."""
        return self._classify(error) or self.function.failed(error)
