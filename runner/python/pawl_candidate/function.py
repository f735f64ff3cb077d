"""A function in a Python module: a kernel, an oracle, what makes inputs, or what judges outputs."""

from __future__ import annotations

import functools
import importlib
import importlib.util
import inspect
import os
import sys
from typing import Any, Callable, Sequence

from .failure import Failure, missing_module, text_of
from .sources import SourceLoader
from .tensors import Problem


class PythonFunction:
    """
    It is called with the inputs (and inouts) in declared order, returns the outputs in declared order, and
    changes inouts in place. Dims, scalars and tunables are passed to keyword parameters of the same name. With a
    parameter named `out` it gets the outputs there, to be written in place.
    """

    def __init__(self, code: dict[str, Any], role: str) -> None:
        if "module" not in code:
            raise Failure("unsupported", "a Python candidate loads functions of Python modules, not shared libraries")
        self.role = role
        self.name = code["function"]
        self._module_name = code["module"]
        self._module = load(code["module"], role)
        self._find()

    @property
    def framework(self) -> str | None:
        """
        What the module's tensors are: what `framework` at its top level says ("torch" or "numpy"), or PyTorch's where
        it imports that. None: it does not matter to it.
        """
        framework = getattr(self._module, "framework", None)
        if framework not in (None, "numpy", "torch"):
            raise Failure("load-failed", f'{self.name}: framework is {framework!r}, neither "numpy" nor "torch"')
        if framework is None and getattr(self._module, "torch", self) is sys.modules.get("torch"):
            return "torch"
        return framework

    def build(self, arrays: Any) -> None:
        """Makes ready what depends on where tensors are."""

    @property
    def called(self) -> Any:
        return self._call

    def attribute(self, name: str) -> Any:
        """Something else that the module has."""
        found = getattr(self._module, name, None)
        if not callable(found):
            raise Failure("load-failed", f"{self._module_name} has no function {name}")
        return found

    def takes(self, name: str) -> bool:
        """Whether it can be given something of this name."""
        kinds = inspect.Parameter
        return name in self._parameters or any(one.kind == kinds.VAR_KEYWORD for one in self._parameters.values())

    @property
    def takes_out(self) -> bool:
        return "out" in self._parameters and self._parameters["out"].kind != inspect.Parameter.VAR_KEYWORD

    def bind(
        self,
        problem: Problem,
        inputs: Sequence[Any],
        outputs: Sequence[Any] | None,
        beside: dict[str, Any] | None = None,
    ) -> Callable[[], Any]:
        """The call on these tensors, ready to be made many times. `beside`: what else it gets by name."""
        inputs = with_numbers_between(self._parameters, problem, inputs)
        keywords = {**keywords_of(self._parameters, problem, len(inputs)), **(beside or {})}
        if outputs is not None:
            keywords["out"] = outputs[0] if len(outputs) == 1 else tuple(outputs)
        return bound_call(self._call, self.name, [spec.name for spec in problem.inputs], inputs, keywords)

    def failed(self, error: BaseException) -> Failure:
        """What the function raised, as an answer."""
        if isinstance(error, Failure):
            return error
        if isinstance(error, ModuleNotFoundError) and error.name is not None:
            return missing_module(error.name, f"the {self.role} {self.name}")
        where = text_of(error, getattr(self._module, "__file__", None))
        code = "out-of-memory" if isinstance(error, MemoryError) else "kernel-failed"
        return Failure(code, f"the {self.role} {self.name} raised {where}")

    def _find(self) -> None:
        self._call = self.attribute(self.name)
        self._parameters = parameters_of(self._call)


def bound_call(
    call: Callable[..., Any], name: str, named: Sequence[str], inputs: Sequence[Any], keywords: dict[str, Any]
) -> Callable[[], Any]:
    """The call on these inputs, refused now where it cannot be made. `named`: how pawl.yaml calls the inputs."""
    try:
        inspect.signature(call).bind(*inputs, **keywords)
    except TypeError as error:
        raise Failure(
            "kernel-failed",
            f"{name} cannot be called with the inputs {', '.join(named)}"
            f" and the keywords {', '.join(keywords) or '(none)'}: {error}",
        ) from error
    except ValueError:
        pass  # A builtin without a signature: the call itself will tell.
    return functools.partial(call, *inputs, **keywords)


def with_numbers_between(
    parameters: dict[str, inspect.Parameter], problem: Problem, inputs: Sequence[Any]
) -> Sequence[Any]:
    """
    The inputs with dims and scalars at the places of `f(x, eps, y)`, where tensors alone do not fill what has to be
    passed. Otherwise a parameter may be called like a number and be a tensor.
    """
    positional = positional_of(parameters)
    if sum(parameter.default is inspect.Parameter.empty for parameter in positional) <= len(inputs):
        return inputs
    numbers = {**problem.dims, **problem.scalars, **problem.variant}
    left = list(inputs)
    passed: list[Any] = []
    for parameter in positional:
        if not left:
            break
        passed.append(numbers[parameter.name] if parameter.name in numbers else left.pop(0))
    return [*passed, *left]


def keywords_of(parameters: dict[str, inspect.Parameter], problem: Problem, passed: int) -> dict[str, Any]:
    """Dims, scalars and tunables that a function has parameters for, beside those that are passed by position."""
    offered = {**problem.dims, **problem.scalars, **problem.variant}
    kinds = inspect.Parameter
    taken = [parameter.name for parameter in positional_of(parameters)][:passed]
    takes_all = any(parameter.kind == kinds.VAR_KEYWORD for parameter in parameters.values())
    return {name: value for name, value in offered.items() if (takes_all or name in parameters) and name not in taken}


def positional_of(parameters: dict[str, inspect.Parameter]) -> list[inspect.Parameter]:
    kinds = inspect.Parameter
    return [one for one in parameters.values() if one.kind in (kinds.POSITIONAL_ONLY, kinds.POSITIONAL_OR_KEYWORD)]


def parameters_of(call: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    try:
        return dict(inspect.signature(call).parameters)
    except ValueError:
        return {}


def load(name: str, role: str) -> Any:
    """A module by its file (`x.py`) or, without a file's name, by its import name."""
    is_file = name.endswith(".py") or os.sep in name
    if is_file and not os.path.isfile(name):
        raise Failure("load-failed", f"there is no module file {name}")
    path = os.path.abspath(name) if is_file else None
    try:
        if path is None:
            return importlib.import_module(name)
        folder = os.path.dirname(path)
        if folder not in sys.path:
            sys.path.insert(0, folder)
        unique = f"pawl_{role}_{os.path.basename(path).removesuffix('.py')}"
        loader = {"loader": SourceLoader(unique, path)} if path.endswith(".py") else {}
        spec = importlib.util.spec_from_file_location(unique, path, **loader)
        if spec is None or spec.loader is None:
            raise Failure("load-failed", f"{name} is not a Python file")
        module = importlib.util.module_from_spec(spec)
        sys.modules[unique] = module
        spec.loader.exec_module(module)
        return module
    except ModuleNotFoundError as error:
        if error.name is None:
            raise Failure("load-failed", f"{name} could not be imported: {text_of(error, path)}") from error
        raise missing_module(error.name, f"the {role} {os.path.basename(name)}") from error
    except Failure:
        raise
    except BaseException as error:
        raise Failure("load-failed", f"{name} could not be imported: {text_of(error, path)}") from error
