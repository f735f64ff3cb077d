"""A class in the place of a function: an `nn.Module`, built once, whose parameters are tensors of the problem."""

from __future__ import annotations

import sys
from typing import Any, Callable, Sequence

from .failure import Failure
from .function import PythonFunction, load, parameters_of
from .seeds import seed_frameworks
from .tensors import Problem


def is_torch_module(called: Any) -> bool:
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(called, type) and issubclass(called, torch.nn.Module)


def tensor_name(parameter: str) -> str:
    """How pawl.yaml, whose names have no dots, calls a parameter."""
    return parameter.replace(".", "_")


def build_module(called: type, arguments: Any) -> Any:
    return called(**arguments) if isinstance(arguments, dict) else called(*arguments)


class TorchModule(PythonFunction):
    """
    Inputs that are named like parameters are their memory; the others are passed to `forward`. Gradients are off, and
    the module is in training mode, as it is after it was built.
    """

    def __init__(self, code: dict[str, Any], role: str, found: PythonFunction) -> None:
        # Imported already; not again.
        self.__dict__.update(found.__dict__)
        self._init: dict[str, str] | None = code.get("init")
        self._class = self._call
        self._bound: Any = None

    @property
    def framework(self) -> str | None:
        return "torch"

    def build(self, arrays: Any) -> None:
        # For what it draws at random and the problem does not have as a tensor.
        seed_frameworks()
        try:
            arguments = self._arguments()
            module = build_module(self._class, arguments).requires_grad_(False).to(arrays.device)
        except Failure:
            raise
        except BaseException as error:
            failure = self.failed(error)
            raise Failure("load-failed", f"{self.name} could not be built: {failure.message}") from error
        # An oracle computes in double precision, whatever it was written for.
        self._call = module.double() if self.role == "oracle" else module
        self._parameters = parameters_of(module.forward)

    def bind(
        self,
        problem: Problem,
        inputs: Sequence[Any],
        outputs: Sequence[Any] | None,
        beside: dict[str, Any] | None = None,
    ) -> Callable[[], Any]:
        given = {spec.name: tensor for spec, tensor in zip(problem.inputs, inputs)}
        weights = []
        for name, parameter in self._call.named_parameters():
            tensor = given.pop(tensor_name(name), None)
            if tensor is None:
                continue
            # pawl.yaml has one element for a number, which has no axis.
            if parameter.shape == () and tensor.shape == (1,):
                tensor = tensor.reshape(())
            if tensor.shape != parameter.shape:
                raise Failure(
                    "kernel-failed",
                    f"{self.name} has the parameter {name} of shape {list(parameter.shape)};"
                    f" {list(tensor.shape)} is declared",
                )
            weights.append((parameter, tensor))
        make = super().bind(problem, list(given.values()), outputs, beside)

        def call() -> Any:
            # Another set of tensors than the last call's; a hot call finds its own.
            if self._bound is not weights:
                for parameter, tensor in weights:
                    parameter.data = tensor
                self._bound = weights
            return make()

        return call if weights else make

    def _arguments(self) -> Any:
        if self._init is None:
            return ()
        module = load(self._init["module"], "init")
        make = getattr(module, self._init["function"], None)
        if not callable(make):
            raise Failure("load-failed", f"{self._init['module']} has no function {self._init['function']}")
        return make()
