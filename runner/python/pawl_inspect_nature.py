"""What a module is like that is to say what is right: whether it draws random numbers, and computes in double precision too."""

from __future__ import annotations

import copy
from typing import Any


def nature_of(module: Any, inputs: list[Any], keywords: dict[str, Any]) -> dict[str, bool]:
    """
    `random`: calls draw random numbers. `doubles`: it works on double precision. By calls that compute nothing; where
    those cannot be made, the usual is assumed.
    """
    import torch

    def placed(value: Any, dtype: Any = None) -> Any:
        if not isinstance(value, torch.Tensor):
            return value
        return value.to("meta", dtype if value.is_floating_point() else None)

    usual = {"random": False, "doubles": True}
    try:
        module = copy.deepcopy(module).to("meta")
        with _watch() as drawn:
            module(*map(placed, inputs), **keywords)
    except BaseException:
        return usual
    try:
        module.double()(*(placed(value, torch.float64) for value in inputs), **keywords)
        return {**usual, "random": drawn.found}
    except BaseException:
        return {"random": drawn.found, "doubles": False}


class _Nothing:
    found = False

    def __enter__(self) -> "_Nothing":
        return self

    def __exit__(self, *_: object) -> None:
        pass


def _watch() -> Any:
    import torch

    seeded = getattr(getattr(torch, "Tag", None), "nondeterministic_seeded", None)
    if seeded is None:
        # PyTorch 1 does not say it of its operations.
        return _Nothing()
    from torch.utils._python_dispatch import TorchDispatchMode

    class Drawn(TorchDispatchMode):
        found = False

        def __torch_dispatch__(self, operation: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            self.found = self.found or seeded in operation.tags
            return operation(*args, **(kwargs or {}))

    return Drawn()
