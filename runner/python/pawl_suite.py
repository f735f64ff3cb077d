"""
How problems of public suites are called, for files that `pawl adopt` writes. It is copied beside them, so that a
project has all that it is judged by.

Pawl hands tensors over one after the other, in memory of its own. A suite's function wants them as its own generator
makes them: in tuples, dictionaries and objects, in types that Pawl calls bytes, in other orders of axes. What is made
of the one here is always the other.
"""

from __future__ import annotations

import ast
import contextlib
import copy
import importlib.abc
import importlib.util
import inspect
import os
import random
import sys
from typing import Any, Callable, Iterator, Sequence

import torch

#: What pawl.yaml has names for; others are handed over as bytes.
STORED = {
    getattr(torch, name)
    for name in (
        "float64 float32 float16 bfloat16 int64 int32 int16 int8 uint8 uint16 uint32 uint64 bool "
        "float8_e4m3fn float8_e5m2"
    ).split()
    if hasattr(torch, name)
}
#: What is never looked into.
PLAIN = (str, bytes, int, float, complex, bool, type(None), type, torch.dtype, torch.device, torch.Generator)


def walk(value: Any) -> Iterator[tuple[str, torch.Tensor]]:
    """All tensors in a value, with their paths, always in the same order."""
    if isinstance(value, torch.Tensor):
        yield "", value
    else:
        for key, child in _children(value):
            for path, tensor in walk(child):
                yield f"{key}_{path}" if path else key, tensor


def rebuilt(value: Any, tensors: Iterator[torch.Tensor]) -> Any:
    """The value with other tensors, in the order of `walk`."""
    if isinstance(value, torch.Tensor):
        return next(tensors)
    if isinstance(value, PLAIN) or callable(value) and not isinstance(value, torch.nn.Module):
        return value
    if isinstance(value, dict):
        made = copy.copy(value)
        made.update({key: rebuilt(child, tensors) for key, child in value.items()})
        return made
    if isinstance(value, (tuple, list)):
        children = [rebuilt(child, tensors) for child in value]
        return type(value)(*children) if hasattr(value, "_fields") else type(value)(children)
    if not hasattr(value, "__dict__"):
        return value
    made = copy.copy(value)
    made.__dict__.update({key: rebuilt(child, tensors) for key, child in value.__dict__.items()})
    return made


def _children(value: Any) -> list[tuple[str, Any]]:
    if isinstance(value, PLAIN) or callable(value) and not isinstance(value, torch.nn.Module):
        return []
    if isinstance(value, dict):
        return [(str(key), child) for key, child in value.items()]
    if isinstance(value, (tuple, list)):
        return [(str(at), child) for at, child in enumerate(value)]
    return [(key.strip("_"), child) for key, child in getattr(value, "__dict__", {}).items()]


def stored(tensor: torch.Tensor) -> torch.Tensor:
    """As Pawl keeps it: contiguous, in a type that it has a name for."""
    tensor = tensor.detach()
    if tensor.dtype not in STORED:
        tensor = tensor.view(torch.uint8)
    return tensor.permute(_memory_order(tensor)).contiguous()


def restored(tensor: torch.Tensor, like: torch.Tensor) -> torch.Tensor:
    """What `stored` was given: in the type and the order of axes of `like`."""
    order = _memory_order(like)
    back = tensor.permute([order.index(axis) for axis in range(len(order))]) if order else tensor.reshape(like.shape)
    if like.dtype not in STORED:
        # An oracle gets its numbers in double precision; bytes stay what they are.
        return (back if back.dtype == torch.uint8 else back.to(torch.uint8)).view(like.dtype)
    return back if back.dtype == like.dtype else back.to(like.dtype)


def _memory_order(tensor: torch.Tensor) -> list[int]:
    """Axes from the outermost in memory to the innermost, where the tensor fills its memory; else as they are."""
    axes = list(range(tensor.dim()))
    order = sorted(axes, key=lambda axis: (-tensor.stride(axis), axis))
    extent = 1
    for axis in reversed(order):
        if tensor.shape[axis] != 1 and tensor.stride(axis) != extent:
            return axes
        extent *= tensor.shape[axis]
    return order


class Files(importlib.abc.MetaPathFinder):
    """Modules by the names that a suite's files import them by, wherever they are."""

    def __init__(self, here: str, files: dict[str, str]) -> None:
        folder = os.path.dirname(os.path.abspath(here))
        self.paths = {name: os.path.normpath(os.path.join(folder, path)) for name, path in files.items()}
        sys.meta_path.insert(0, self)

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        file = self.paths.get(name)
        return None if file is None else importlib.util.spec_from_file_location(name, file)


def seed_all(seed: int) -> None:
    random.seed(seed)
    torch.manual_seed(seed)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(seed % 2**32)


def _storage(tensor: torch.Tensor) -> int:
    # PyTorch 1.13 has no untyped_storage, later ones warn of storage.
    return (tensor.untyped_storage() if hasattr(tensor, "untyped_storage") else tensor.storage()).data_ptr()


class Task:
    """
    A task of GPU MODE: `generate_input(**parameters)` makes `data`, and functions of it return tensors or write into
    some of `data`.
    """

    def __init__(
        self,
        here: str,
        files: dict[str, str],
        parameters: dict[str, str],
        choices: dict[str, list[Any]],
        in_place: dict[int, int],
        results: list[int | None],
        dtypes: list[str],
        inouts: Sequence[int] = (),
        returned: dict[int, int] | None = None,
    ) -> None:
        #: Which dimension says a parameter, and by which values where it is not a whole number.
        self._parameters, self._choices = parameters, choices
        #: Which tensors of `data` are outputs, and which output each returned tensor is.
        self._in_place, self._results = in_place, results
        #: Which are read and written.
        self._inouts = inouts
        #: Which results are one of those.
        self._returned = returned or {}
        #: What outputs are declared as; another type of the same numbers is converted, as the suite's judge does it.
        self._dtypes = [getattr(torch, name) for name in dtypes]
        self._forms: dict[tuple[int, ...], Any] = {}
        paths = Files(here, files).paths
        with redirected():
            self._reference = completed(importlib.import_module("reference"), paths)

    def function(self, module: str, name: str) -> Callable[[Any], Any]:
        with redirected():
            imported = importlib.import_module(module)
        found = getattr(imported, name, None) or in_parts(imported, self._reference)
        if not callable(found):
            raise AttributeError(f"{module}.py has no function {name}")
        return found

    def generate(self, seed: int, dims: dict[str, int]) -> list[torch.Tensor]:
        made = [tensor for _, tensor in walk(self._data(seed, dims))]
        return [stored(tensor) for at, tensor in enumerate(made) if at not in self._in_place]

    def call(
        self, function: Callable[[Any], Any], tensors: Sequence[torch.Tensor], dims: dict[str, int], out: Any = None
    ) -> Any:
        form, likes, homes = self._form(dims)
        outs = [] if out is None else list(out) if isinstance(out, (tuple, list)) else [out]
        given = iter(tensors)
        theirs = iter(tensors)
        pieces = [
            self._place(outs[self._in_place[at]], like)
            if at in self._in_place
            else restored(_at(home, next(given)), like)
            for at, (like, home) in enumerate(zip(likes, homes))
        ]
        with redirected():
            result = function(rebuilt(form, iter(pieces)))
        found = [tensor for _, tensor in walk(result)]
        if len(found) != len(self._results):
            raise ValueError(f"it returned {len(found)} tensors where {len(self._results)} are expected")
        for at, place in self._returned.items():
            self._take_returned(found[at], pieces[place])
        for at, piece in enumerate(pieces):
            ours = None if at in self._in_place else next(theirs)
            if at in self._inouts and ours.data_ptr() != piece.data_ptr():
                # It was a copy in another type, as an oracle's are.
                ours.copy_(stored(piece))
        if out is None:
            ours = [(stored_output(one), at) for one, at in zip(found, self._results) if at is not None]
            returned = [one if one.dtype == self._dtypes[at] else one.to(self._dtypes[at]) for one, at in ours]
            return returned[0] if len(returned) == 1 else tuple(returned)
        for one, at in zip(found, self._results):
            if at is None:
                continue
            ours = stored_output(one)
            if ours.data_ptr() != outs[at].data_ptr():
                outs[at].copy_(ours.reshape(outs[at].shape))
        return None

    @staticmethod
    def _take_returned(result: torch.Tensor, piece: torch.Tensor) -> None:
        """What the suite judges is what is returned, also where that is not the tensor of `data` that it was to be."""
        is_shared = _storage(result) == _storage(piece)
        if result.shape != piece.shape:
            if not is_shared:
                raise ValueError("it returned a new tensor where the task returns a part of `data`")
        elif not is_shared:
            piece.copy_(result)
        elif result.data_ptr() != piece.data_ptr() or result.stride() != piece.stride():
            piece.copy_(result.clone())

    def check(self, tensors: dict[str, torch.Tensor], inputs: list[str], outputs: list[str], dims: dict[str, int]) -> Any:
        """What the task's own judge says: True, or what is wrong."""
        form, likes, _ = self._form(dims)
        data = rebuilt(form, iter([restored(tensors[name], like) for name, like in zip(inputs, likes)]))
        results = [tensors[name].to(dtype) for name, dtype in zip(outputs, self._dtypes)]
        with redirected(), torch.no_grad():
            verdict = self._reference.check_implementation(data, results[0] if len(results) == 1 else tuple(results))
        if isinstance(verdict, tuple):
            return True if verdict[0] else str(verdict[1]) or False
        return True if not verdict else str(verdict)

    def _place(self, out: torch.Tensor, like: torch.Tensor) -> torch.Tensor:
        """Where a function writes: the output itself, or memory of the function's own type."""
        if like.dtype not in STORED or out.dtype == like.dtype:
            return restored(out, like)
        return torch.empty_like(like, device=out.device)

    def _form(self, dims: dict[str, int]) -> tuple[Any, list[torch.Tensor], list[str]]:
        """What `data` looks like in this case. Its numbers do not matter."""
        key = tuple(dims.values())
        if key not in self._forms:
            form = self._data(0, dims)
            made = [tensor for _, tensor in walk(form)]
            # Shapes, strides and types without the memory.
            likes = [torch.empty_strided(one.shape, one.stride(), dtype=one.dtype, device="meta") for one in made]
            self._forms = {key: (rebuilt(form, iter(likes)), likes, [one.device.type for one in made])}
        return self._forms[key]

    def _data(self, seed: int, dims: dict[str, int]) -> Any:
        given = {name: dims[dim] for name, dim in self._parameters.items()}
        given.update({name: values[given[name]] for name, values in self._choices.items()})
        with redirected():
            return generated(self._reference.generate_input, given, seed)


#: What the reference's functions are called in a task that has several, and what makes their inputs.
PART, MAKER = "reference_", "generate_inputs"


def completed(reference: Any, files: dict[str, str]) -> Any:
    """
    The module `reference`, also where a task's functions come in parts: `generate_inputs` returns tensors by name, each
    `reference_…` takes some of them, and `RTOL` and `ATOL` say what is near enough. The functions that other tasks have are
    added. What no parameter set says of the inputs is what another file of the task calls their maker with.
    """
    make = getattr(reference, MAKER, None)
    parts = [one for name, one in vars(reference).items() if name.startswith(PART) and inspect.isfunction(one)]
    if hasattr(reference, "ref_kernel") or not callable(make) or not parts:
        return reference
    names = returned_names(files["reference"], MAKER)
    fixed = fixed_arguments(make, [path for name, path in files.items() if name != "reference"])
    wanted = [list(inspect.signature(one).parameters) for one in parts]
    if not names or any(name not in names for each in wanted for name in each):
        return reference

    def generate_input(*, seed: int, **sizes: Any) -> Any:
        return make(**{**fixed, **sizes}, seed=seed)

    def ref_kernel(data: Any) -> Any:
        return called_in_parts(parts, names, data)

    def check_implementation(data: Any, output: Any) -> Any:
        for part, got, want in zip(parts, output, ref_kernel(data)):
            if not torch.allclose(got, want, rtol=reference.RTOL, atol=reference.ATOL):
                return f"{part.__name__} differs"
        return ""

    # Which functions of a submission they are compared with, by the ends of their names.
    reference.pawl_parts = {one.__name__[len(PART) :]: names for one in parts}
    reference.generate_input, reference.ref_kernel = generate_input, ref_kernel
    if hasattr(reference, "RTOL") and hasattr(reference, "ATOL"):
        reference.check_implementation = check_implementation
    return reference


def in_parts(submission: Any, reference: Any) -> Callable[[Any], Any] | None:
    """A submission's functions `…_forward`, where the reference has `reference_forward`, as one."""
    ends: dict[str, list[str]] = getattr(reference, "pawl_parts", {})
    found = [[one for name, one in vars(submission).items() if name.endswith(f"_{end}") and inspect.isfunction(one)] for end in ends]
    if not ends or any(len(each) != 1 for each in found):
        return None
    return lambda data: called_in_parts([one for [one] in found], next(iter(ends.values())), data)


def called_in_parts(parts: list[Callable[..., Any]], names: list[str], data: Any) -> tuple[Any, ...]:
    by_name = dict(zip(names, data))
    return tuple(part(*(by_name[name] for name in inspect.signature(part).parameters)) for part in parts)


def returned_names(path: str, function: str) -> list[str]:
    """`return a, b, c` at the end of a function."""
    for node in _parsed(path).body:
        if isinstance(node, ast.FunctionDef) and node.name == function and isinstance(node.body[-1], ast.Return):
            value = node.body[-1].value
            if isinstance(value, ast.Tuple) and all(isinstance(one, ast.Name) for one in value.elts):
                return [one.id for one in value.elts if isinstance(one, ast.Name)]
    return []


def fixed_arguments(make: Callable[..., Any], paths: list[str]) -> dict[str, int]:
    """Whole numbers that files name in capitals and always pass for the same parameter."""
    parameters = list(inspect.signature(make).parameters)
    passed: dict[str, set[int | None]] = {}
    for path in paths:
        tree = _parsed(path)
        constants = {
            target.id: node.value.value
            for node in tree.body if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
            for target in node.targets if isinstance(target, ast.Name) and type(node.value.value) is int
        }
        for call in ast.walk(tree):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == make.__name__:
                given = [*zip(parameters, call.args), *((one.arg, one.value) for one in call.keywords if one.arg)]
                for name, value in given:
                    number = value.value if isinstance(value, ast.Constant) and type(value.value) is int else None
                    passed.setdefault(name, set()).add(constants.get(value.id) if isinstance(value, ast.Name) else number)
    return {name: number for name, [number, *others] in passed.items() if number is not None and not others}


def _parsed(path: str) -> ast.Module:
    with open(path, encoding="utf-8") as file:
        return ast.parse(file.read())


def _at(home: str, tensor: torch.Tensor) -> torch.Tensor:
    """Some of what a generator makes for a GPU it leaves on the host."""
    return tensor if tensor.device.type == home or home == "cuda" else tensor.to(home)


def generated(make: Callable[..., Any], parameters: dict[str, Any], seed: int) -> Any:
    """What a suite's generator makes. Without a parameter for the seed, all generators of random numbers have it."""
    seed %= 2**31
    seed_all(seed)
    names = make.__code__.co_varnames[: make.__code__.co_argcount + make.__code__.co_kwonlyargcount]
    with torch.no_grad():
        return make(**parameters, **({"seed": seed} if "seed" in names else {}))


def stored_output(tensor: torch.Tensor) -> torch.Tensor:
    tensor = tensor.detach()
    return tensor if tensor.dtype in STORED else tensor.contiguous().view(torch.uint8)


#: Functions that make tensors and take a device.
MAKERS = (
    "empty rand randn zeros ones full randint randperm arange range linspace logspace eye tril_indices triu_indices "
    "tensor as_tensor normal empty_like rand_like randn_like zeros_like ones_like full_like randint_like "
    "empty_strided asarray from_numpy"
).split()


@contextlib.contextmanager
def redirected(to: str | None = None) -> Iterator[None]:
    """Without a GPU, what a file asks of `cuda` happens on the CPU (or on `to`)."""
    if to is None and torch.cuda.is_available():
        yield
        return
    from torch.overrides import TorchFunctionMode

    device = to or "cpu"
    makers = {getattr(torch, name) for name in MAKERS if hasattr(torch, name)}

    class Redirect(TorchFunctionMode):
        def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            kwargs = dict(kwargs or {})
            if function is torch.Tensor.cuda:
                return args[0] if device == "cpu" else args[0].to(device)
            if device == "meta" and (function is torch.Tensor.cpu or function is torch.Tensor.to and _is_cpu(*args[1:2])):
                # What holds no numbers has none to move.
                return args[0]
            if _is_cuda(kwargs.get("device")) or device == "meta" and function in makers:
                kwargs["device"] = device
            if device == "meta":
                kwargs.pop("generator", None)
            args = [torch.device(device) if _is_cuda(one) and function is not torch.tensor else one for one in args]
            return function(*args, **kwargs)

    cuda, generator = torch.cuda, torch.Generator
    before = {name: getattr(cuda, name) for name in ("synchronize", "current_device", "manual_seed", "empty_cache")}
    try:
        torch.Generator = _Generator  # type: ignore[misc]
        for name in before:
            setattr(cuda, name, lambda *_, **__: 0)
        with Redirect():
            yield
    finally:
        torch.Generator = generator  # type: ignore[misc]
        for name, one in before.items():
            setattr(cuda, name, one)


_TorchGenerator = torch.Generator


class _OfAnyDevice(type):
    def __instancecheck__(cls, value: Any) -> bool:
        return isinstance(value, _TorchGenerator)


class _Generator(metaclass=_OfAnyDevice):
    """A class, as the one that it stands for: files write `torch.Generator | None`."""

    def __new__(cls, device: Any = None) -> torch.Generator:
        return _TorchGenerator()


def _is_cuda(value: Any) -> bool:
    if isinstance(value, str):
        return value == "cuda" or value.startswith("cuda:")
    return isinstance(value, torch.device) and value.type == "cuda"


def _is_cpu(value: Any = None) -> bool:
    return value == "cpu" if isinstance(value, str) else isinstance(value, torch.device) and value.type == "cpu"


class Definition:
    """
    A definition of FlashInfer-Bench: `run` gets its inputs in their order, tensors and numbers, and returns its outputs
    or, in destination-passing style, writes them.
    """

    def __init__(self, inputs: dict[str, str | None], outputs: dict[str, str], inouts: Sequence[str] = ()) -> None:
        #: Which are written as well.
        self._inouts = inouts
        #: None: a number.
        self._inputs = [(name, None if dtype is None else _dtype(dtype)) for name, dtype in inputs.items()]
        self._outputs = {name: _dtype(dtype) for name, dtype in outputs.items()}

    def call(self, function: Callable[..., Any], tensors: Sequence[torch.Tensor], named: dict[str, Any], out: Any = None) -> Any:
        given = iter(tensors)
        arguments = [
            named[name] if dtype is None else _as(next(given), dtype) for name, dtype in self._inputs
        ]
        with redirected():
            if out is not None:
                outs = list(out) if isinstance(out, (tuple, list)) else [out]
                function(*arguments, *outs)
                return None
            result = self._called(function, arguments)
        theirs = iter(tensors)
        for (name, dtype), piece in zip(self._inputs, arguments):
            ours = None if dtype is None else next(theirs)
            if name in self._inouts and ours is not piece:
                # It was a copy in another type, as an oracle's are.
                ours.copy_(piece)
        if isinstance(result, dict):
            result = [result[name] for name in self._outputs]
        results = list(result) if isinstance(result, (tuple, list)) else [result]
        kinds = list(self._outputs.values())
        returned = [_as(one, kind) for one, kind in zip(results, kinds)] if len(results) == len(kinds) else results
        return returned[0] if len(returned) == 1 else tuple(returned)

    def _called(self, function: Callable[..., Any], arguments: list[Any]) -> Any:
        """In the definition's order; by name where the function has the same names in another one."""
        names = [name for name, _ in self._inputs]
        try:
            theirs = list(inspect.signature(function).parameters)
        except (TypeError, ValueError):
            theirs = names
        if theirs != names and sorted(theirs) == sorted(names):
            return function(**dict(zip(names, arguments)))
        return function(*arguments)


def _dtype(name: str) -> torch.dtype:
    found = getattr(torch, name, None)
    if found is None:
        raise RuntimeError(f"it needs the type {name}, which PyTorch {torch.__version__} does not have")
    return found


def _as(value: Any, dtype: torch.dtype) -> Any:
    return value.to(dtype) if isinstance(value, torch.Tensor) and value.dtype != dtype else value


def function_in(here: str, path: str, name: str) -> Callable[..., Any]:
    """A function of a file beside this one, which imports others beside it."""
    file = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(here)), path))
    sys.path.insert(0, os.path.dirname(file))
    spec = importlib.util.spec_from_file_location(os.path.basename(file).removesuffix(".py"), file)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    with redirected():
        spec.loader.exec_module(module)
    return getattr(module, name)


def built(here: str, sources: list[str], name: str, load: Callable[..., Any]) -> Callable[..., Any]:
    """A function of an extension in C++ or CUDA, which PyTorch builds."""
    import tempfile

    folder = os.path.dirname(os.path.abspath(here))
    files = [os.path.join(folder, source) for source in sources]
    includes = sorted({os.path.dirname(file) for file in files})
    made = load("pawl_solution", files, extra_include_paths=includes, build_directory=tempfile.mkdtemp())
    return getattr(made, name)


def device() -> str:
    return "cuda" if torch.cuda.is_available() else "cpu"


def normal(*shape: int, dtype: torch.dtype, factor: float = 1, limit: float | None = None) -> torch.Tensor:
    """Normal numbers, made piece by piece: weights of many experts in 32 bits may not fit beside those in their type."""
    made = torch.empty(shape, dtype=dtype, device=device())
    for at in range(shape[0]):
        piece = torch.randn(shape[1:], device=made.device).mul_(factor)
        made[at].copy_(piece if limit is None else piece.clamp_(-limit, limit))
    return made


def split(total: int, parts: int) -> list[int]:
    """Random lengths that add up to a total, none much above or below the others."""
    shares = [0.5 + random.random() for _ in range(parts)]
    ends = [round(total * sum(shares[: at + 1]) / sum(shares)) for at in range(parts)]
    return [end - begin for begin, end in zip([0, *ends], ends)]


def offsets(lengths: Sequence[int]) -> torch.Tensor:
    """Where each begins, and the end: `indptr`."""
    return torch.tensor([0, *lengths]).cumsum(0)


def distinct(rows: int, count: int, below: int) -> torch.Tensor:
    """In each row, different numbers below a limit."""
    return torch.rand(rows, below, device=device()).argsort(dim=1)[:, :count]


def recorded(here: str, path: str, key: str) -> torch.Tensor:
    """A tensor of a safetensors file (https://github.com/huggingface/safetensors#format)."""
    import json

    kinds = {
        "F64": torch.float64, "F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16,
        "I64": torch.int64, "I32": torch.int32, "I16": torch.int16, "I8": torch.int8, "U8": torch.uint8, "BOOL": torch.bool,
    }
    with open(os.path.join(os.path.dirname(os.path.abspath(here)), path), "rb") as file:
        header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
        begin, end = header[key]["data_offsets"]
        file.seek(begin, os.SEEK_CUR)
        raw = bytearray(file.read(end - begin))
    return torch.frombuffer(raw, dtype=kinds[header[key]["dtype"]]).reshape(header[key]["shape"])
