"""The judge's memory as PyTorch tensors, on the GPU or in host memory."""

from __future__ import annotations

import importlib.metadata
import os
from contextlib import nullcontext
from typing import Any, ContextManager

import torch

from .arrays_numpy import LARGEST_KEPT_BYTES, POISON, memory_at
from .failure import Failure, text_of
from .default_stream import launches_on
from .requirements import torch_problem
from .tensors import FLOATS_IN_BYTES, PACKED, TensorSpec

DTYPES = {
    "f64": torch.float64,
    "f32": torch.float32,
    "f16": torch.float16,
    "bf16": torch.bfloat16,
    "i64": torch.int64,
    "i32": torch.int32,
    "i16": torch.int16,
    "i8": torch.int8,
    "u8": torch.uint8,
    "bool": torch.bool,
    "c64": torch.complex64,
    "c128": torch.complex128,
}
# What PyTorch got later: 8-bit floats with 2.1, unsigned integers with 2.3, 4-bit floats with 2.8.
for _name, _theirs in (
    ("u16", "uint16"),
    ("u32", "uint32"),
    ("u64", "uint64"),
    ("f8e4m3", "float8_e4m3fn"),
    ("f8e5m2", "float8_e5m2"),
    ("f4e2m1", "float4_e2m1fn_x2"),
):
    if hasattr(torch, _theirs):
        DTYPES[_name] = getattr(torch, _theirs)
NAMES = {dtype: name for name, dtype in DTYPES.items()}


class _DeviceMemory:
    """How CUDA libraries tell each other of memory (Numba's CUDA array interface, version 3)."""

    def __init__(self, address: int, nbytes: int) -> None:
        self.__cuda_array_interface__ = {
            "data": (address, False),
            "shape": (nbytes,),
            "typestr": "|u1",
            "strides": None,
            "version": 3,
        }


class TorchArrays:
    framework = "torch"
    wanted = "a PyTorch tensor on the case's device"

    def __init__(self, device_index: int | None) -> None:
        problem = torch_problem(torch.__version__, "no-gpu" if device_index is None else "gpu")
        if problem is not None:
            raise Failure("unsupported", problem)
        self._index = device_index
        self._versions: dict[str, str] = {}
        torch.set_grad_enabled(False)
        if device_index is None:
            torch.set_num_threads(len(os.sched_getaffinity(0)))
            self._device = torch.device("cpu")
            return
        if not torch.cuda.is_available() or device_index >= torch.cuda.device_count():
            raise Failure("device-error", f"PyTorch {torch.__version__} finds no CUDA device {device_index}")
        torch.cuda.set_device(device_index)
        self._device = torch.device("cuda", device_index)

    def wake(self) -> None:
        """What is made at the first use of PyTorch on a GPU: its allocator, its own kernels and the library of products."""
        torch.zeros(1, device=self._device)
        torch.cuda.current_blas_handle()
        self.versions()
        self.synchronize()

    @property
    def device(self) -> Any:
        return self._device

    def adopt(self, value: Any, spec: TensorSpec) -> Any:
        """A tensor of the declared type, of what a generator made wherever it did."""
        made = torch.as_tensor(value).detach().to(self._device)
        # Bytes of two numbers, which PyTorch converts from no other type.
        if spec.dtype in PACKED:
            return made.to(torch.uint8) if made.dtype is not DTYPES.get(spec.dtype) else made.view(torch.uint8)
        return made.to(DTYPES[self.known_as(spec.dtype)])

    def made_by_default(self) -> ContextManager[Any]:
        """Tensors of which the maker does not say where they are made are made on the case's device (PyTorch 2)."""
        return self._device if self._index is not None and hasattr(self._device, "__enter__") else nullcontext()

    def wrap(self, spec: TensorSpec, address: int) -> Any:
        if self.known_as(spec.dtype) not in DTYPES:
            raise Failure(
                "unsupported", f"{spec.name} is {spec.dtype}, which PyTorch {torch.__version__} does not have"
            )
        if self._index is None:
            raw = torch.from_numpy(memory_at(address, spec.nbytes))
        else:
            raw = torch.as_tensor(_DeviceMemory(address, spec.nbytes), device=self._device)
        stored = raw.view(DTYPES[self.known_as(spec.dtype)])
        if spec.strides is None:
            return stored.view(spec.shape)
        return stored.as_strided(spec.shape, spec.strides, spec.offset)

    def known_as(self, dtype: str) -> str:
        """What `describe` calls a tensor of this type."""
        return "u8" if dtype in FLOATS_IN_BYTES and dtype not in DTYPES else dtype

    def describe(self, value: Any) -> tuple[tuple[int, ...], str] | None:
        """Shape and dtype, or None for what is not a tensor. Subclasses are not: they may compute later."""
        if type(value) is not torch.Tensor or value.device.type != self._device.type:
            return None
        return tuple(value.shape), NAMES.get(value.dtype, str(value.dtype))

    def overlap(self, one: Any, other: Any) -> bool:
        begin, end = _span(one)
        other_begin, other_end = _span(other)
        return begin < other_end and other_begin < end

    def copy(self, value: Any, into: Any) -> None:
        if any(into.dtype is DTYPES.get(name) for name in PACKED):
            into, value = into.view(torch.uint8), value.view(torch.uint8)
        into.copy_(value)

    def soil_free_memory(self, spec: TensorSpec) -> None:
        """The allocator hands out next what was freed last."""
        if self._index is None and spec.nbytes > LARGEST_KEPT_BYTES:
            return
        try:
            torch.empty(spec.nbytes, dtype=torch.uint8, device=self._device).fill_(POISON)
        except torch.cuda.OutOfMemoryError:
            pass  # Nothing is free.

    def device_bytes(self) -> int:
        """What PyTorch has allocated on the device."""
        return 0 if self._index is None else int(torch.cuda.memory_allocated(self._index))

    def give_back_memory(self) -> None:
        if self._index is not None:
            torch.cuda.empty_cache()

    def synchronize(self) -> None:
        if self._index is not None:
            torch.cuda.synchronize(self._index)

    def classify(self, error: BaseException) -> Failure | None:
        """The device's fault, where the device says so."""
        if self._index is None:
            return None
        if isinstance(error, torch.cuda.OutOfMemoryError):
            return Failure("out-of-memory", str(error).partition("\n")[0])
        if not isinstance(error, RuntimeError) or "CUDA" not in str(error):
            return None
        try:
            torch.cuda.synchronize(self._index)
        except RuntimeError:
            return Failure("device-lost", text_of(error).partition("\n")[0])
        if "CUDA error" in str(error) or "[CUDA]" in str(error):
            return Failure("device-error", text_of(error).partition("\n")[0])
        return None

    def versions(self) -> dict[str, str]:
        if not self._versions:
            self._versions = self._found_versions()
        return self._versions

    def _found_versions(self) -> dict[str, str]:
        found: dict[str, Any] = {"torch": torch.__version__}
        if self._index is not None:
            found["cuda"] = torch.version.cuda
            if torch.backends.cudnn.is_available():
                found["cudnn"] = torch.backends.cudnn.version()
        for name in ("numpy", "triton"):
            try:
                found[name] = importlib.metadata.version(name)
            except importlib.metadata.PackageNotFoundError:
                pass  # Absent is what its absence is told by.
        return {name: str(version) for name, version in found.items()}

    def capture(self, calls: Any) -> Any:
        """What repeats these calls as one graph."""
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, capture_error_mode="thread_local"):
            with launches_on(torch.cuda.current_stream(self._index).cuda_stream):
                result = calls()
        graph.replay()
        torch.cuda.synchronize(self._index)
        return graph, result


def _span(tensor: Any) -> tuple[int, int]:
    # The class's own methods: a tensor may carry others of the same name, which say that it lies elsewhere.
    kind = torch.Tensor
    storage = kind.untyped_storage(tensor) if hasattr(kind, "untyped_storage") else kind.storage(tensor)
    begin = storage.data_ptr()
    nbytes = storage.nbytes() if hasattr(storage, "nbytes") else len(storage) * tensor.element_size()
    return begin, begin + nbytes
