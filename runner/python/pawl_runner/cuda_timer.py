"""The CUDA timer that the native runner uses (runner/include/pawl_timer.h), loaded as a library."""

from __future__ import annotations

import ctypes
import json
from typing import Any

from .failure import Failure

FLUSH_L2 = 1
BLOCK = 2
JSON_BYTES = 1 << 16


class Timing(ctypes.Structure):
    _fields_ = [("ms", ctypes.c_double), ("clock_mhz", ctypes.c_double), ("timed_out", ctypes.c_int32)]


class CudaTimer:
    def __init__(self, path: str, device_index: int) -> None:
        try:
            self._library = ctypes.CDLL(path)
            self._declare()
        except (OSError, AttributeError) as error:
            raise Failure("load-failed", f"the timer {path} could not be loaded: {error}") from error
        self._device_index = device_index
        self._timer = ctypes.c_void_p()
        self._checked(self._library.pawl_timer_create(device_index, ctypes.byref(self._timer)))

    def begin(self, stream: int, flags: int) -> None:
        self._checked(self._library.pawl_timer_begin(self._timer, stream, flags))

    def end(self, stream: int) -> Timing:
        timing = Timing()
        self._checked(self._library.pawl_timer_end(self._timer, stream, ctypes.byref(timing)))
        return timing

    def reset_l2(self) -> None:
        self._checked(self._library.pawl_timer_reset_l2(self._timer))

    def device_info(self) -> dict[str, Any]:
        return self._json(self._library.pawl_device_info_json)

    def device_state(self) -> dict[str, Any]:
        return self._json(self._library.pawl_device_state_json)

    def throttle_mask(self) -> int:
        return int(self._library.pawl_throttle_mask(self._device_index))

    def _json(self, describe: Any) -> dict[str, Any]:
        buffer = ctypes.create_string_buffer(JSON_BYTES)
        if describe(self._device_index, buffer, JSON_BYTES) < 0:
            raise Failure("device-error", f"the timer cannot describe the device: {self._error()}")
        return json.loads(buffer.value)

    def _checked(self, status: int) -> None:
        if status != 0:
            # «CUDA error» is how PyTorch's messages begin, too: cuda_device.py tells lost devices by trying.
            raise RuntimeError(f"CUDA error {status} in the timer: {self._error()}")

    def _error(self) -> str:
        text = self._library.pawl_timer_error()
        return text.decode(errors="replace") if text else "no text"

    def _declare(self) -> None:
        pointer, integer, text, size = ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_size_t
        for name, result, arguments in (
            ("pawl_timer_create", integer, [integer, ctypes.POINTER(pointer)]),
            ("pawl_timer_begin", integer, [pointer, pointer, integer]),
            ("pawl_timer_end", integer, [pointer, pointer, ctypes.POINTER(Timing)]),
            ("pawl_timer_reset_l2", integer, [pointer]),
            ("pawl_timer_error", text, []),
            ("pawl_device_info_json", integer, [integer, text, size]),
            ("pawl_device_state_json", integer, [integer, text, size]),
            ("pawl_throttle_mask", ctypes.c_uint64, [integer]),
        ):
            function = getattr(self._library, name)
            function.restype, function.argtypes = result, arguments
