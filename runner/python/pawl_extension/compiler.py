"""
What PyTorch starts in the place of g++ and nvcc: `compiler.py c++|nvcc PROGRAM WORDS…`. Compiles as the program would,
and faster where that is possible without another result; otherwise the program does it, with the words as they are.
"""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
import tempfile

sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

from pawl_extension.compiler_names import EXPLAIN, HEADERS, NEW_OBJECTS, OBJECTS, PRECOMPILING
from pawl_extension.flags import Command, read_command, read_host_command
from pawl_extension.headers import header_of, precompile
from pawl_extension.split_compile import compile_parts
from pawl_extension.split_cuda import Unsplittable

_NAME = "-DTORCH_EXTENSION_NAME="
_NOT_HERE = (Unsplittable, OSError, UnicodeError, subprocess.SubprocessError)


def main(kind: str, program: str, words: list[str]) -> int:
    try:
        command = read_command(words) if kind == "nvcc" else read_host_command(words)
        if PRECOMPILING in os.environ:
            _precompile(kind, program, command)
            return 1
        with open(command.source, encoding="utf8") as file:
            source = file.read()
        known = _key(kind, program, command, source)
        if known is not None and _take(known, command):
            return 0
    except _NOT_HERE as why:
        _explain_of(kind, words, why)
        if PRECOMPILING in os.environ and "-c" in words:
            return 1
        return subprocess.run([program, *words]).returncode
    try:
        _compile(kind, program, command, source)
    except _NOT_HERE as why:
        _explain_of(kind, words, why)
        failed = subprocess.run([program, *words]).returncode
        if failed != 0:
            return failed
    if known is not None:
        _keep(known, command)
    return 0


def _explain_of(kind: str, words: list[str], why: Exception) -> None:
    if "-c" in words:
        _explain(f"{kind}: {type(why).__name__}: {why}")


def _explain(reason: str) -> None:
    """For people who wonder why a build is not faster."""
    path = os.environ.get(EXPLAIN, "")
    if path:
        with open(path, "a", encoding="utf8") as file:
            file.write(f"{reason}\n")


def _ways(kind: str, program: str, command: Command) -> tuple[list[str], list[str], list[str]]:
    """The host compiler, its options, and those of them that name the extension."""
    cxx = [os.environ.get("CC") or "g++"] if kind == "nvcc" else [program]
    named = [word for word in command.host if word.startswith(_NAME)]
    options = [word for word in command.host if not word.startswith(_NAME)]
    if kind == "nvcc":
        options += ["-isystem", os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(program))), "include")]
    return cxx, options, named


def _precompile(kind: str, program: str, command: Command) -> None:
    cxx, options, _ = _ways(kind, program, command)
    precompile(os.environ.get(HEADERS, ""), kind, cxx, options)


def _compile(kind: str, program: str, command: Command, source: str) -> None:
    cxx, options, named = _ways(kind, program, command)
    folder = os.environ.get(HEADERS, "")
    header = header_of(folder, kind, cxx, options) if folder else None
    if header is None:
        raise Unsplittable("no precompiled headers")
    define = "".join(f"#define TORCH_EXTENSION_NAME {word[len(_NAME) :]}\n" for word in named)
    if kind == "nvcc":
        compile_parts(command, program, [*cxx, *options], header, define)
    else:
        _compile_host(command, [*cxx, *options], header, define, source)
    _tell_dependencies(command)


def _compile_host(command: Command, compile_with: list[str], header: str, define: str, source: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, os.path.basename(command.source))
        with open(path, "w", encoding="utf8") as file:
            file.write(f'#include "{header}"\n{define}#line 1 "{command.source}"\n{source}')
        beside = ["-I", os.path.dirname(header), "-iquote", os.path.dirname(os.path.abspath(command.source))]
        done = subprocess.run(
            [*compile_with, *beside, "-c", path, "-o", command.output], stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        if done.returncode != 0:
            # Its own words are about the file as it is.
            raise Unsplittable(done.stdout.decode(errors="replace"))


def _tell_dependencies(command: Command) -> None:
    """For ninja, which rebuilds where the source changes. The folder is a new one for each process."""
    if command.depfile:
        with open(command.depfile, "w", encoding="utf8") as file:
            file.write(f"{command.output}: {command.source}\n")


def _key(kind: str, program: str, command: Command, source: str) -> str | None:
    """What decides about an object; None where other files do too."""
    if OBJECTS not in os.environ or re.search(r'^\s*#\s*include\s*(?!\s*<)', source, re.M):
        return None
    options = command.device if kind == "nvcc" else command.host
    if any(word.startswith("-I") for word in options):
        return None
    version = subprocess.run([program, "--version"], capture_output=True, text=True).stdout
    return hashlib.sha256("\0".join([kind, version, *options, source]).encode()).hexdigest()


def _take(key: str, command: Command) -> bool:
    try:
        with open(os.path.join(os.environ[OBJECTS], key), "rb") as kept:
            contents = kept.read()
    except OSError:
        return False
    with open(command.output, "wb") as file:
        file.write(contents)
    _tell_dependencies(command)
    return True


def _keep(key: str, command: Command) -> None:
    folder = os.environ.get(NEW_OBJECTS, "")
    if not folder:
        return
    try:
        os.makedirs(folder, exist_ok=True)
        with open(command.output, "rb") as made, open(os.path.join(folder, key), "wb") as file:
            file.write(made.read())
    except OSError as why:
        _explain(f"not kept: {why}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
