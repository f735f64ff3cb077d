"""What a candidate answers when it cannot do what it was asked."""

from __future__ import annotations

import os
import sys
import traceback


class Failure(Exception):
    """An expected failure: one of the protocol's codes and a sentence."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def missing_module(name: str, needed_by: str) -> Failure:
    package = name.partition(".")[0]
    return Failure(
        "module-missing",
        f"{needed_by} needs the Python module {name}, which {sys.executable} does not have; "
        f"install it with `{sys.executable} -m pip install {package}`, or name another interpreter in PAWL_PYTHON",
    )


def text_of(error: BaseException, file: str | None = None) -> str:
    """The last line of the traceback, and where it came from: in `file` if it passed there, else where it was raised."""
    what = traceback.format_exception_only(type(error), error)[-1].strip()
    if isinstance(error, SyntaxError) and error.filename is not None:
        return f"{what} ({os.path.basename(error.filename)}:{error.lineno})"
    frames = traceback.extract_tb(error.__traceback__)
    inside = [frame for frame in frames if frame.filename == file] or frames
    return f"{what} ({os.path.basename(inside[-1].filename)}:{inside[-1].lineno})" if inside else what
