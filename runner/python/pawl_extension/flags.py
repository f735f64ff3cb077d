"""The command line of nvcc, as PyTorch writes it, and what of it the host compiler gets."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass, field

from .split_cuda import Unsplittable


@dataclass
class Command:
    source: str = ""
    output: str = ""
    depfile: str = ""
    #: As they were, without the file's names.
    device: list[str] = field(default_factory=list)
    #: Those that nvcc hands to the host compiler.
    host: list[str] = field(default_factory=list)


#: Two words each.
_SHARED_PAIRS = {"-isystem", "-I", "-D", "-U", "--include-path", "--define-macro", "--system-include"}
_DEVICE_PAIRS = {
    "-gencode", "--generate-code", "-arch", "--gpu-architecture", "-code", "--gpu-code", "-Xptxas", "--ptxas-options",
    "-maxrregcount", "--maxrregcount", "-Xcudafe", "-diag-suppress", "--diag-suppress", "-t", "--threads", "-ccbin",
}  # fmt: skip
_PLAIN_PAIRS = _DEVICE_PAIRS - {"-Xcudafe", "-ccbin"}
_HOST_PAIRS = {"-Xcompiler", "--compiler-options"}
_DEVICE_WORDS = (
    "-gencode=", "--generate-code=", "-arch=", "--gpu-architecture=", "-code=", "-Xptxas=", "--ptxas-options=",
    "-maxrregcount=", "--maxrregcount=", "-Xcudafe=", "-diag-suppress=", "--diag-suppress=", "--threads=", "-t=",
    "--expt-relaxed-constexpr", "--expt-extended-lambda", "--extended-lambda", "-use_fast_math", "--use_fast_math",
    "-lineinfo", "--generate-line-info", "--resource-usage", "-res-usage", "-fmad=", "--fmad=", "-ftz=", "--ftz=",
    "-prec-div=", "--prec-div=", "-prec-sqrt=", "--prec-sqrt=", "--split-compile=", "-extra-device-vectorization",
    "--extra-device-vectorization",
)  # fmt: skip
_SHARED_WORDS = ("-D", "-U", "-I", "-isystem", "-O", "-std=", "-w")
_FULL_NAMES = {"--include-path": "-I", "--define-macro": "-D", "--system-include": "-isystem"}


def without_device_options(words: list[str]) -> list[str]:
    """Without what says how device code is compiled, and names no file."""
    kept: list[str] = []
    rest = iter(words)
    for word in rest:
        if word in _PLAIN_PAIRS:
            value = next(rest, "")
            if not re.fullmatch(r"[\w=,.-]+", value):
                kept.append(value)
        elif not word.startswith(_DEVICE_WORDS) or "/" in word:
            kept.append(word)
    return kept


def read_command(arguments: list[str]) -> Command:
    command = Command()
    rest = iter(arguments)
    compiles = False
    for word in rest:
        if word == "-c":
            compiles = True
        elif word == "-o":
            command.output = next(rest)
        elif word in ("--generate-dependencies-with-compile", "-MD", "-MMD"):
            continue
        elif word in ("--dependency-output", "-MF"):
            command.depfile = next(rest)
        elif word in _SHARED_PAIRS:
            value = next(rest)
            command.device += [word, value]
            command.host += [_FULL_NAMES.get(word, word), value]
        elif word in _DEVICE_PAIRS:
            command.device += [word, next(rest)]
        elif word in _HOST_PAIRS:
            value = next(rest)
            command.device += [word, value]
            command.host += [part for one in shlex.split(value) for part in one.split(",")]
        elif word.startswith(("-Xcompiler=", "--compiler-options=")):
            command.device.append(word)
            command.host += [part for one in shlex.split(word.split("=", 1)[1]) for part in one.split(",")]
        elif word.startswith(_DEVICE_WORDS):
            command.device.append(word)
        elif word.startswith(_SHARED_WORDS):
            command.device.append(word)
            command.host.append(word)
        elif not word.startswith("-") and word.endswith(".cu") and not command.source:
            command.source = word
        else:
            raise Unsplittable(f"the option {word}")
    if not compiles or not command.source or not command.output:
        raise Unsplittable("a command that does not compile one file")
    return command


def read_host_command(arguments: list[str]) -> Command:
    """The same of the host compiler, which gets all of its options."""
    command = Command()
    rest = iter(arguments)
    compiles = False
    for word in rest:
        if word == "-c":
            compiles = True
        elif word == "-o":
            command.output = next(rest)
        elif word == "-MMD":
            continue
        elif word == "-MF":
            command.depfile = next(rest)
        elif word in ("-isystem", "-I"):
            command.host += [word, next(rest)]
        elif word.startswith("-"):
            command.host.append(word)
        elif word.endswith((".cpp", ".cc", ".cxx")) and not command.source:
            command.source = word
        else:
            raise Unsplittable(f"the word {word}")
    if not compiles or not command.source or not command.output:
        raise Unsplittable("a command that does not compile one file")
    return command
