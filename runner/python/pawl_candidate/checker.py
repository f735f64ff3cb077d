"""A function that judges outputs by what they have to be, and not by comparing them."""

from __future__ import annotations

import inspect
from typing import Any, Callable, Sequence

from .failure import Failure
from .function import PythonFunction
from .tensors import Problem


class Checker(PythonFunction):
    """
    It gets tensors, dims, scalars and tolerances by name, as far as it has parameters for them, and returns True, or a
    sentence that says what is wrong (False: without one). The judge finds the answer as bytes in the only output: 1 or
    0, then the sentence.
    """

    def __init__(self, code: dict[str, Any]) -> None:
        super().__init__(code, "checker")
        self._arrays: Any = None

    @property
    def takes_out(self) -> bool:
        """A parameter `out` is the output of that name, which is judged."""
        return False

    def build(self, arrays: Any) -> None:
        self._arrays = arrays

    def bind(self, problem: Problem, inputs: Sequence[Any], outputs: Sequence[Any] | None) -> Callable[[], Any]:
        tensors = {spec.name: view for spec, view in zip(problem.inputs, inputs)}
        keywords = self._wanted({**tensors, **problem.dims, **problem.scalars})
        (answer,) = problem.outputs

        def judged() -> tuple[Any, ...]:
            return (self._arrays.adopt(self._bytes(self._call(**keywords), answer.nbytes), answer),)

        return judged

    def _wanted(self, offered: dict[str, Any]) -> dict[str, Any]:
        kinds = inspect.Parameter
        unknown = [
            name
            for name, parameter in self._parameters.items()
            if name not in offered
            and parameter.default is kinds.empty
            and parameter.kind not in (kinds.VAR_KEYWORD, kinds.VAR_POSITIONAL)
        ]
        if unknown:
            raise Failure(
                "kernel-failed",
                f"the checker {self.name} has the parameter {unknown[0]}, and there are {', '.join(offered)}",
            )
        if any(parameter.kind == kinds.POSITIONAL_ONLY for parameter in self._parameters.values()):
            raise Failure("kernel-failed", f"the checker {self.name} has parameters that cannot be given by name")
        if any(parameter.kind == kinds.VAR_KEYWORD for parameter in self._parameters.values()):
            return offered
        return {name: value for name, value in offered.items() if name in self._parameters}

    def _bytes(self, verdict: Any, size: int) -> Any:
        import numpy as np

        # NumPy's and PyTorch's own booleans.
        if hasattr(verdict, "item") and getattr(verdict, "shape", None) == ():
            verdict = verdict.item()
        if isinstance(verdict, bool):
            verdict, text = verdict, ""
        elif isinstance(verdict, str) and verdict.strip():
            verdict, text = False, verdict
        else:
            kind = "an empty text" if isinstance(verdict, str) else type(verdict).__name__
            raise Failure(
                "kernel-failed",
                f"the checker {self.name} returned {kind} where True, or a sentence that says what is wrong, was due",
            )
        answer = np.zeros(size, np.uint8)
        answer[0] = verdict
        # Whole characters, without the one that ends the text.
        told = text.replace("\0", " ").encode()[: size - 2].decode(errors="ignore").encode()
        answer[1 : 1 + len(told)] = np.frombuffer(told, np.uint8)
        return answer
