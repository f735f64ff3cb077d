"""A function that makes the inputs of a case from a seed."""

from __future__ import annotations

import random
import sys
from typing import Any, Callable, Sequence

from .failure import Failure
from .function import PythonFunction
from .tensors import Problem
from .torch_module import build_module, tensor_name


class Generator(PythonFunction):
    """
    It gets `seed`, dims and scalars by name and returns what is asked for in declared order, or by name in a dict.
    With `weights`, the parameters of an `nn.Module` come beside that.
    """

    def __init__(self, code: dict[str, Any]) -> None:
        super().__init__(code, "generator")
        self._weights: dict[str, str] | None = code.get("weights")
        self._arrays: Any = None
        self._by_default_here = True

    def build(self, arrays: Any) -> None:
        self._arrays = arrays

    def bind(self, problem: Problem, inputs: Sequence[Any], outputs: Sequence[Any] | None) -> Callable[[], Any]:
        make = super().bind(problem, inputs, None)

        def seeded() -> tuple[Any, ...]:
            weights, values = self._made_where_wanted(problem.dims["seed"], make)
            made = self._named(values, [spec.name for spec in problem.outputs if spec.name not in weights])
            made.update(weights)
            return tuple(self._arrays.adopt(made[spec.name], spec) for spec in problem.outputs)

        return seeded

    def _made_where_wanted(self, seed: int, make: Callable[[], Any]) -> tuple[dict[str, Any], Any]:
        """On the GPU where that works, even by a function that names no device: large tensors take seconds on a CPU."""

        def made() -> tuple[dict[str, Any], Any]:
            seed_all(seed)
            return self._parameters_of_module(), make()

        if self._by_default_here:
            try:
                with self._arrays.made_by_default():
                    return made()
            except Exception:
                # It mixes what it makes with tensors of a device that it named.
                self._by_default_here = False
        return made()

    def _parameters_of_module(self) -> dict[str, Any]:
        if self._weights is None:
            return {}
        init = self._weights.get("init")
        module = build_module(self.attribute(self._weights["class"]), self.attribute(init)() if init else ())
        return {tensor_name(name): parameter.detach() for name, parameter in module.named_parameters()}

    def _named(self, made: Any, names: list[str]) -> dict[str, Any]:
        if isinstance(made, dict):
            missing = [name for name in names if name not in made]
            if missing:
                raise Failure("kernel-failed", f"the generator {self.name} made no {', '.join(missing)}")
            return {name: made[name] for name in names}
        values = list(made) if isinstance(made, (tuple, list)) else [made]
        if len(values) != len(names):
            # Numbers among them are scalars of the problem.
            values = [value for value in values if type(value) not in (int, float)]
        if len(values) != len(names):
            raise Failure(
                "kernel-failed",
                f"the generator {self.name} made {len(values)} inputs where {len(names)} are declared: {', '.join(names)}",
            )
        return dict(zip(names, values))


def seed_all(seed: int) -> None:
    """Of every library at hand: a generator need not take a seed."""
    random.seed(seed)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(seed)
    if "torch" in sys.modules:
        sys.modules["torch"].manual_seed(seed)
