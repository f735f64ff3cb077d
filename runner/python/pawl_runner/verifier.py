"""Judges outputs by the oracle, on inputs that were taken before the kernel could change them."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from typing import Any, Sequence

import numpy as np

from . import elements
from .case import BufferSet, Case
from .compare import compare, describe, errors, finite_or_none, finite_rms
from .guards import tamper
from .problem import TensorSpec

#: Fewer errors than this say little about a precision: the reference's own may be small by luck.
LEAST_ERRORS = 32

_clock_ns = time.perf_counter_ns


@dataclass(frozen=True)
class Rules:
    oracle: Any
    atol: float
    rtol: float
    #: An error up to this multiple of the reference's is right, and one above it is not.
    factor: float | None


@dataclass
class Judgement:
    tensors: list[dict[str, Any]] = field(default_factory=list)
    tampering: list[dict[str, str]] = field(default_factory=list)

    @property
    def passed(self) -> bool:
        return not self.tampering


class Verifier:
    def __init__(self, case: Case, rules: Rules) -> None:
        self._case = case
        self._rules = rules
        self._inputs: dict[str, np.ndarray] = {}
        self._want: dict[str, np.ndarray] | None = None
        self._reference: dict[str, np.ndarray] | None = None
        self.oracle_ms = 0.0

    def take_inputs(self, buffers: BufferSet) -> None:
        """Copies the inputs as they are now."""
        self._inputs = {tensor.spec.name: self._case.arrays.to_bytes(tensor.view) for tensor in buffers.inputs}
        self._want = self._reference = None

    def judge(self, outputs: Sequence[tuple[TensorSpec, Any]]) -> Judgement:
        self._compute()
        judgement = Judgement()
        for spec, value in outputs:
            got = elements.from_bytes(spec.dtype, self._case.arrays.to_bytes(value), spec.shape)
            self._judge(spec, got, judgement)
        return judgement

    def _compute(self) -> None:
        if self._want is not None:
            return
        rules = self._rules
        begin_ns = _clock_ns()
        self._want = rules.oracle.compute(self._case.problem, self._inputs)
        if rules.factor is not None and rules.oracle.has_reference:
            self._reference = rules.oracle.refer(self._case.problem, self._inputs)
        self.oracle_ms += (_clock_ns() - begin_ns) / 1e6

    def _judge(self, spec: TensorSpec, got: np.ndarray, judgement: Judgement) -> None:
        rules, want = self._rules, self._want[spec.name]
        trusted = None if self._reference is None else errors(spec.dtype, self._reference[spec.name], want)
        allowed = 0.0
        if trusted is not None and math.isfinite(trusted.largest):
            allowed = rules.factor * trusted.largest
        compared = compare(spec, got, want, rules.atol, rules.rtol, allowed)
        if compared["mismatches"] > 0:
            judgement.tampering.append(tamper("wrong-result", spec.name, describe(compared, rules.oracle.name)))
        if trusted is not None:
            compared["reference"] = {
                "max_abs_err": finite_or_none(trusted.largest),
                "rms_err": finite_or_none(trusted.rms),
            }
            if spec.floating and math.isfinite(trusted.rms):
                self._judge_precision(spec, compared, trusted.rms, want, judgement)
        judgement.tensors.append(compared)

    def _judge_precision(
        self, spec: TensorSpec, compared: dict[str, Any], trusted_rms: float, want: np.ndarray, judgement: Judgement
    ) -> None:
        count, rms = finite_rms(want)
        if count < LEAST_ERRORS:
            return
        unit = elements.unit_in_last_place(spec.dtype, rms)
        # On data that it happens to compute exactly the reference's error says nothing. Rounding once to the nearest
        # makes errors that are uniform over one unit, of which the root mean square is 1/sqrt(12).
        # A sum of many terms that cancel has an error of many units of what is left; half of the bits that f32 has
        # beyond f16 are room enough for that, and far from enough to hide f16, bf16 or tf32.
        room = 256 * unit if spec.dtype in ("f32", "f64") else unit / 2
        bound = self._rules.factor * max(trusted_rms, unit / math.sqrt(12)) + room
        if compared["rms_err"] is not None and not compared["rms_err"] <= bound:
            judgement.tampering.append(
                tamper(
                    "precision-lowered",
                    spec.name,
                    f"the root-mean-square error of '{spec.name}' is {compared['rms_err']:.3g}; the reference's is "
                    f"{trusted_rms:.3g}, and {bound:.3g} is the most that is allowed",
                )
            )
