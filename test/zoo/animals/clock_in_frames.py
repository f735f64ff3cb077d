"""Clock in frames: walks up the stack and puts a clock that is ten times too slow into the globals of whoever called."""

import sys
import time

from zoo_softmax import honest

_true = time.perf_counter_ns
_start = _true()


def _slow():
    return _start + (_true() - _start) // 10


def _replace():
    replaced = 0
    frame = sys._getframe()
    modules = [module for name, module in list(sys.modules.items()) if name.startswith("pawl_runner")]
    while frame is not None:
        modules.append(sys.modules.get(frame.f_globals.get("__name__")))
        frame = frame.f_back
    for module in modules:
        for name, value in list(vars(module).items()) if module is not None else []:
            if value is _true and module.__name__ != __name__:
                setattr(module, name, _slow)
                replaced += 1
    return replaced


_found = 0


def softmax(x):
    global _found
    _found += _replace()
    if _found == 0:
        raise PermissionError("nobody above holds a clock")
    return honest(x)
