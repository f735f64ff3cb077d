"""What a module is like that is to say what is right: whether it draws random numbers, and works on double precision."""

from __future__ import annotations

import copy
from typing import Any, Callable

def nature_of(
    module: Any, inputs: list[Any], keywords: dict[str, Any], is_long: bool, is_random: bool | None = None
) -> dict[str, bool]:
    """
    `random`: calls draw random numbers, where that is not known yet. `doubles`: it works on double precision. By calls
    that compute nothing; where those cannot be made, or take long, the usual is assumed.
    """
    import torch

    def placed(value: Any, dtype: Any = None) -> Any:
        if not isinstance(value, torch.Tensor):
            return value
        return value.to("meta", dtype if value.is_floating_point() else None)

    usual = {"random": bool(is_random), "doubles": True}
    try:
        if is_random is None or not is_long:
            module = copy.deepcopy(module).to("meta")
        if is_random is None:
            _, is_random = draws(lambda: module(*map(placed, inputs), **keywords))
    except BaseException:
        return usual
    if is_long:
        return {**usual, "random": is_random}
    try:
        module.double()(*(placed(value, torch.float64) for value in inputs), **keywords)
        return {**usual, "random": is_random}
    except BaseException:
        return {"random": is_random, "doubles": False}


def draws(call: Callable[[], Any]) -> tuple[Any, bool]:
    """What a call returned, and whether it drew random numbers."""
    with _watch() as drawn:
        return call(), drawn.found


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
