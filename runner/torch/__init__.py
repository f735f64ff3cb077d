"""An operator for PyTorch that `pawl export --torch` wrote. README.md says what it is and what was proven of it."""

from __future__ import annotations

from ._register import register

_operator = register(__name__)

#: What the operator is: shapes, variants, times (dispatch.json).
table = _operator.table
#: "native": a C++ operator; "python": the same libraries called from Python; "source": a kernel in Python.
binding = _operator.binding
#: Why there is no native binding; None where there is one, or none was wanted.
binding_problem = _operator.binding_problem
#: Whether these arguments have a shape that was proven.
covers = _operator.covers
#: Calls this function, with the operator's arguments, where a shape was not proven; None: such calls are refused.
use_fallback = _operator.use_fallback
#: The operator as PyTorch knows it. It refuses whatever was not proven, with or without a fallback.
op = _operator.op

globals()[table.name] = _operator.call
__all__ = ["binding", "binding_problem", "covers", "op", "table", "use_fallback", table.name]
