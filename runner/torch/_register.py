"""Registers the operator with PyTorch: its schema, what runs it, and what it does to shapes."""

from __future__ import annotations

import importlib
import os
from typing import Any, Callable, Optional

import torch

from ._device import require_device
from ._library import Library, aligned_empty
from ._native import load_native
from ._table import Refused, Table

#: "native" or "python": which binding of a compiled kernel is wanted. Default: native where it can be built.
BINDING_VARIABLE = "PAWL_TORCH_BINDING"


class Operator:
    def __init__(self, table: Table, package: str) -> None:
        self.table = table
        self._package = package
        self._fallback: Optional[Callable[..., Any]] = None
        self._named_fallback: Optional[str] = table.document.get("fallback")
        if table.device == "cpu":
            require_device(table, None)
        #: Why there is no native binding, where one was tried.
        self.binding_problem: Optional[str] = None
        # Kept: what a library registers ends with it.
        self._library = torch.library.Library(table.namespace, "DEF")
        self._library.define(table.schema)
        self.binding = self._bind()
        self._register_fake()
        self.op = getattr(getattr(torch.ops, table.namespace), table.name)

    def call(self, *arguments: Any, **named: Any) -> Any:
        """The operator; what was not proven goes to the fallback, where there is one."""
        fallback = self._fallback
        if fallback is None and self._named_fallback is None:
            return self.op(*arguments, **named)
        if self.covers(*arguments, **named):
            return self.op(*arguments, **named)
        return (fallback or self._resolve())(*arguments, **named)

    def covers(self, *arguments: Any, **named: Any) -> bool:
        ordered = self.table.ordered(arguments, named)
        return self.table.find(ordered) is not None and all(
            tensor.dtype == form.torch_dtype and tensor.device.type in (self.table.device, "meta")
            for form, tensor in zip(self.table.inputs, ordered)
        )

    def use_fallback(self, function: Optional[Callable[..., Any]]) -> None:
        self._fallback = function
        self._named_fallback = None

    def _resolve(self) -> Callable[..., Any]:
        """`module:function` of dispatch.json, imported when it is first needed."""
        module, _, function = (self._named_fallback or "").partition(":")
        self._fallback = getattr(importlib.import_module(module), function)
        return self._fallback

    def _bind(self) -> str:
        key = "CUDA" if self.table.device == "cuda" else "CPU"
        if self.table.language == "python":
            from ._python_kernel import PythonKernels

            self._library.impl(self.table.name, PythonKernels(self.table), key)
            return "source"
        wanted = os.environ.get(BINDING_VARIABLE)
        if wanted not in (None, "", "native", "python"):
            raise Refused(f"{BINDING_VARIABLE} is {wanted!r}, neither native nor python")
        if wanted != "python":
            problem = load_native(self.table)
            if problem is None:
                return "native"
            if wanted == "native":
                raise Refused(f"the native binding could not be built: {problem}")
            self.binding_problem = problem
        self._library.impl(self.table.name, CalledFromPython(self.table), key)
        return "python"

    def _register_fake(self) -> None:
        """For torch.compile, torch.export and meta tensors: what comes out, without computing it."""
        table = self.table

        def fake(*arguments: Any, **named: Any) -> Any:
            ordered = table.ordered(arguments, named)
            row = table.require(ordered)
            made = [
                ordered[0].new_empty(row.shapes[place], dtype=form.torch_dtype)
                for place, form in enumerate(table.tensors)
                if form.role == "output"
            ]
            return returned(made)

        name = f"{table.namespace}::{table.name}"
        if hasattr(torch.library, "register_fake"):
            torch.library.register_fake(name, fake, lib=self._library)
        elif hasattr(torch.library, "impl_abstract"):
            torch.library.impl_abstract(name, fake, lib=self._library)
        else:
            # Before PyTorch 2.1, operators of others have no way past autograd on meta tensors.
            for key in ("Meta", "AutogradMeta"):
                self._library.impl(table.name, fake, key)


class CalledFromPython:
    """Calls the libraries by ctypes: the same machine code, and some microseconds more for each call."""

    #: `Library.impl` names what it registers by this.
    __name__ = "called_from_python"

    def __init__(self, table: Table) -> None:
        self._table = table
        self._libraries = [Library(table.folder, one["library"]) for one in table.variants]

    def __call__(self, *given: Any, **named: Any) -> Any:
        table = self._table
        arguments = table.ordered(given, named)
        row = table.require(arguments)
        device = arguments[0].device
        for form, tensor in zip(table.inputs, arguments):
            if tensor.device != device:
                raise Refused(f"{table.name}: tensors are on {device} and on {tensor.device}")
            table.require_aligned(form, tensor)
        if table.device == "cuda":
            require_device(table, device.index)
        inputs = iter(arguments)
        tensors = []
        for place, form in enumerate(table.tensors):
            shape = row.shapes[place]
            made = form.role == "output"
            tensor = aligned_empty(shape, form.torch_dtype, device) if made else next(inputs)
            tensors.append((form.name, form.dtype, shape, tensor))
        dims = [(dim["name"], value) for dim, value in zip(table.dims, row.dims)]
        scalars = [(one["name"], one["dtype"], value) for one, value in zip(table.scalars, row.scalars)]
        library = self._libraries[row.variant]
        if table.device == "cuda":
            with torch.cuda.device(device):
                library.call("pawl_run", tensors, dims, scalars, torch.cuda.current_stream(device).cuda_stream)
        else:
            library.call("pawl_run", tensors, dims, scalars)
        return returned([one[3] for form, one in zip(table.tensors, tensors) if form.role == "output"])


def returned(outputs: list) -> Any:
    """As the schema says: nothing, a tensor, or several."""
    if len(outputs) == 0:
        return None
    return outputs[0] if len(outputs) == 1 else tuple(outputs)


def register(package: str) -> Operator:
    return Operator(Table(os.path.dirname(os.path.abspath(__file__))), package)
