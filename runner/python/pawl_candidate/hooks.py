"""Pawl's candidate as a library: it speaks with the judge and holds the clock, and calls these functions."""

from __future__ import annotations

import ctypes

# By name, before any kernel was loaded: a module that replaces `json.dumps` does not change what is told.
from json import dumps, loads
from typing import Any, Callable

from .failure import Failure, text_of
from .kernel import Kernel, answer_of

_TEXT = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_char_p)
_CASE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_char_p, ctypes.POINTER(ctypes.c_uint64), ctypes.c_uint64)
_NOTHING = ctypes.CFUNCTYPE(ctypes.c_int)
_SET = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_uint64)
_CAPTURE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_uint64, ctypes.c_int64)


class Hooks(ctypes.Structure):
    """`pawl_hooks` of runner/include/pawl_candidate.h."""

    _fields_ = [
        ("start", _TEXT),
        ("load", _TEXT),
        ("prepare", _CASE),
        ("forget", _NOTHING),
        ("run", _SET),
        ("finish", _SET),
        ("capture", _CAPTURE),
        ("run_captured", _NOTHING),
        ("list_launches", _NOTHING),
        ("measure_memory", _NOTHING),
        ("prepare_inputs", _SET),
        ("evict", _SET),
        ("give_back", _NOTHING),
        ("list_settings", _NOTHING),
    ]


def serve(library: str, socket: int) -> int:
    native = ctypes.CDLL(library)
    native.pawl_candidate_tell.argtypes = [ctypes.c_char_p]
    native.pawl_candidate_tell.restype = None
    native.pawl_candidate_evict.argtypes = [ctypes.c_uint64, ctypes.c_uint64]
    native.pawl_candidate_evict.restype = None

    def tell(answer: dict[str, Any]) -> None:
        native.pawl_candidate_tell(dumps(answer).encode())

    kernel = Kernel(tell)

    def guarded(act: Callable[..., Any]) -> Callable[..., int]:
        def hook(*given: Any) -> int:
            try:
                act(*given)
                return 0
            except BaseException as error:
                try:
                    failure = kernel.failed(error)
                except BaseException as worse:
                    failure = Failure("internal", text_of(worse))
                native.pawl_candidate_tell(answer_of(failure).encode())
                return 1

        return hook

    hooks = Hooks(
        _TEXT(guarded(lambda text: kernel.start(loads(text)))),
        _TEXT(guarded(lambda text: kernel.load(loads(text)))),
        _CASE(guarded(lambda text, addresses, count: kernel.prepare(loads(text), addresses[:count]))),
        _NOTHING(guarded(kernel.forget)),
        _SET(guarded(kernel.run)),
        _SET(guarded(kernel.finish)),
        _CAPTURE(guarded(kernel.capture)),
        _NOTHING(guarded(kernel.run_captured)),
        _NOTHING(guarded(kernel.list_launches)),
        _NOTHING(guarded(kernel.measure_memory)),
        _SET(guarded(kernel.prepare_inputs)),
        _SET(guarded(lambda index: [native.pawl_candidate_evict(*span) for span in kernel.prepared_memory(index)])),
        _NOTHING(guarded(kernel.give_back)),
        _NOTHING(guarded(kernel.list_settings)),
    )
    return int(native.pawl_candidate_serve(socket, ctypes.byref(hooks)))
