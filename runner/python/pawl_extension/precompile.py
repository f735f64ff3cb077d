"""
Precompiles PyTorch's headers as kernels will need them: `precompile.py FOLDER MODULE…`. Modules are read, never run;
`load_inline` itself says how it would compile, with an extension that does nothing.
"""

from __future__ import annotations

import ast
import os
import sys
import tempfile
from typing import Any

_CALLS = ("load_inline", "load")
_OPTIONS = ("extra_cflags", "extra_cuda_cflags")


def calls_of(text: str) -> list[dict[str, list[str]]]:
    """The options of each call that builds an extension, where they are written out."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return []
    found: list[dict[str, list[str]]] = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or getattr(node.func, "attr", getattr(node.func, "id", "")) not in _CALLS:
            continue
        options = {word.arg: _words(word.value) for word in node.keywords if word.arg in _OPTIONS}
        if None not in options.values() and options not in found:
            found.append(options)
    return found


def _words(node: ast.expr) -> Any:
    try:
        value = ast.literal_eval(node)
    except ValueError:
        return None
    if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
        return None
    # KernelBench's examples have `extra_cflags=[""]`: nothing reaches the compiler.
    return [word for word in value if word.strip()]


def main(folder: str, modules: list[str]) -> None:
    sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    from pawl_extension.compiler_names import HEADERS, PRECOMPILING
    from pawl_extension.headers import harmless
    from pawl_extension.use import put_compilers

    wanted: list[dict[str, list[str]]] = []
    for module in modules:
        with open(module, encoding="utf8", errors="replace") as file:
            wanted += [one for one in calls_of(file.read()) if one not in wanted]
    # Nothing that a kernel's file says may run a program here.
    wanted = [one for one in wanted if all(harmless(_known(words)) for words in one.values())]
    if not wanted:
        return
    with tempfile.TemporaryDirectory() as scratch:
        os.environ[HEADERS], os.environ[PRECOMPILING] = folder, "1"
        put_compilers(os.path.join(scratch, "compilers"))
        from torch.utils import cpp_extension

        cuda = {"cuda_sources": "\n"} if "PYTORCH_NVCC" in os.environ and cpp_extension.CUDA_HOME else {}
        for index, options in enumerate(wanted):
            build = os.path.join(scratch, str(index))
            os.mkdir(build)
            try:
                cpp_extension.load_inline(
                    name="pawl_nothing", cpp_sources="\n", functions=[], build_directory=build, **cuda, **options
                )
            except Exception:
                # Its compilers make the headers, and no object.
                continue


def _known(words: list[str]) -> list[str]:
    """Without those that only CUDA's compiler reads."""
    from pawl_extension.flags import without_device_options

    return without_device_options(words)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
