"""Answers requests, in order, until `quit` or the end of the channel."""

from __future__ import annotations

import os
import sys
import time
from typing import Any

from . import requests
from .case import Case
from .channel import Channel
from .failure import Failure, text_of
from .host_device import HostDevice
from .python_function import PythonFunction
from .timed_guard import TimedGuard

PROTOCOL_VERSION = 1
# sysexits.h EX_DATAERR: without a key no answer could be told from a forged one.
EXIT_NO_KEY = 65

_clock_ns = time.perf_counter_ns


class Session:
    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._device: Any = None
        self._function: PythonFunction | None = None
        self._arrays: Any = None
        self._case: Case | None = None
        self._watches: Any = None
        self._oracles: dict[str, Any] = {}
        self._operations = {
            "open": self._open,
            "prepare": self._prepare,
            "check": self._check,
            "sample": self._sample,
            "profile": self._profile,
            "state": lambda message: self._opened().state(),
            "quit": lambda message: {},
        }

    def serve(self) -> int:
        while True:
            try:
                message = self._channel.receive()
            except ValueError:
                message = {"op": "not JSON"}
            if message is None:
                return 0
            if not self._channel.keyed and not self._take_key(message):
                return EXIT_NO_KEY
            id = message.get("id") if isinstance(message, dict) else None
            try:
                self._channel.answer(id if requests.is_integer(id) else 0, self._outcome(message))
            except BrokenPipeError:
                return 0
            if isinstance(message, dict) and message.get("op") == "quit":
                return 0

    def _take_key(self, message: Any) -> bool:
        try:
            self._channel.use_key(requests.key(message))
            # A kernel could find it here.
            message["key"] = "0" * 64
            return True
        except Failure as failure:
            print(f"pawl_runner: the first request brings the key of the answers: {failure}", file=sys.stderr)
            return False

    def _outcome(self, message: Any) -> dict[str, Any]:
        try:
            operation = requests.one_of(message, "op", tuple(self._operations))
            if not requests.is_integer(message.get("id")):
                raise Failure("bad-request", "id is not an integer")
            return {"ok": True, "result": self._operations[operation](message)}
        except Failure as failure:
            found = failure
        except BaseException as error:
            classified = self._device.classify(error) if self._device is not None else None
            found = classified or Failure("internal", text_of(error))
        return {"ok": False, "error": {"code": found.code, "message": found.message}}

    def _open(self, message: Any) -> dict[str, Any]:
        if self._device is not None:
            raise Failure("bad-request", "open comes once")
        if requests.count(message, "protocol", least=0) != PROTOCOL_VERSION:
            raise Failure("unsupported", f"this runner speaks protocol {PROTOCOL_VERSION}")
        requests.key(message)
        kernel = requests.code(message, "kernel")
        kind = requests.one_of(message, "device", ("cpu", "cuda"))
        index = requests.count(message, "device_index", least=0)
        threads = requests.count(message, "threads")
        if kind == "cpu":
            device: Any = HostDevice(threads)
        else:
            timer_library = requests.text(message, "timer_library")
            from .cuda_device import CudaDevice

            try:
                device = CudaDevice(index, timer_library)
            except RuntimeError as error:
                raise Failure("device-error", text_of(error)) from error
        # Before kernel code runs; not earlier, as NumPy reads how many threads it may use when it is imported.
        from . import check, oracle  # noqa: F401
        from .watches import Watches

        watches = Watches(device)
        function = PythonFunction(kernel, "kernel")
        self._arrays = device.arrays(function, message.get("sanitized") is True)
        watches.loaded()
        self._watches = watches
        self._function = function
        self._device = device
        return {
            "protocol": PROTOCOL_VERSION,
            "runner": "python",
            "pid": os.getpid(),
            "device": device.info(),
            "modes": list(device.modes),
            "versions": device.versions(function),
        }

    def _prepare(self, message: Any) -> dict[str, Any]:
        device = self._opened()
        problem = requests.problem(message)
        seed = requests.seed(message)
        asked = requests.count(message, "sets") if "sets" in message else None
        # The old case goes first: both need not fit.
        self._case = None
        device.forget_case()
        set_count = device.set_count(problem.nbytes, asked)
        case = Case(problem, self._function, self._arrays, device.classify, seed, set_count)
        self._case = case
        return {"sets": set_count, "bytes_per_set": problem.nbytes, "workspace_bytes": 0}

    def _check(self, message: Any) -> dict[str, Any]:
        case = self._prepared()
        rules = self._rules(message)
        seed = requests.seed(message)
        nondeterministic = requests.flag(message, "nondeterministic", False)
        audited = requests.flag(message, "audit", False)
        from .check import check

        audit = self._watches.audit(self._device) if audited else None
        result = check(case, rules, seed, nondeterministic, audit)
        tampering = [*result["tampering"], *self._watches.timers.look()]
        return {**result, "passed": not tampering, "tampering": tampering}

    def _sample(self, message: Any) -> dict[str, Any]:
        started_ns = _clock_ns()
        case = self._prepared()
        mode = requests.one_of(message, "mode", ("cold", "hot", "graph"))
        count = requests.count(message, "count")
        budget_ms = requests.positive(message, "budget_ms")
        timing = requests.one_of(message, "timing", ("blocked", "plain"))
        guarded = requests.flag(message, "guarded", True)
        verifier = None
        if guarded and "verify" in message:
            from .verifier import Verifier

            verifier = Verifier(case, self._rules(message["verify"], "verify"))
        guard = TimedGuard(case, verifier, guarded)
        result = self._device.sample(case, mode, count, budget_ms, timing, guard)
        if guarded:
            result["tampering"] += self._watches.timers.look()
        return {**result, "wall_ms": (_clock_ns() - started_ns) / 1e6}

    def _rules(self, message: Any, where: str = "") -> Any:
        """What says whether outputs are right. An oracle is loaded once: a fuzzer asks for thousands of checks."""
        code = requests.code(message, "oracle", where)
        atol, rtol = (requests.number(message, name, least=0, where=where) for name in ("atol", "rtol"))
        factor = requests.positive(message, "factor", where) if "factor" in message else None
        from .oracle import load_oracle
        from .verifier import Rules
        from .watches import ExcusedOracle

        key = repr(sorted(code.items()))
        if key not in self._oracles:
            self._oracles[key] = ExcusedOracle(lambda: load_oracle(code, self._arrays), self._watches)
        return Rules(self._oracles[key], atol, rtol, factor)

    def _profile(self, message: Any) -> dict[str, Any]:
        case = self._prepared()
        launches = requests.count(message, "launches")
        self._device.profile(case, launches)
        return {"launches": launches}

    def _opened(self) -> Any:
        if self._device is None:
            raise Failure("bad-request", "open comes first")
        return self._device

    def _prepared(self) -> Case:
        self._opened()
        if self._case is None:
            raise Failure("bad-request", "prepare comes before check, sample and profile")
        return self._case
