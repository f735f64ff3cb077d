"""What a candidate answers when it cannot do what it was asked."""

from __future__ import annotations

import os
import re
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


#: Lines of a long message that are kept, and what marks those of a compiler that say what is wrong.
KEPT_LINES = 4
ERROR_LINE = re.compile(r"\b(error|fatal|undefined reference|undefined symbol)\b", re.IGNORECASE)


def _excerpt(text: str) -> str:
    """A short message as it is. Of a long one, such as the log of `load_inline`: its first line, and its first errors."""
    first, *rest = [line.rstrip() for line in text.splitlines() if line.strip()] or [""]
    if len(rest) < KEPT_LINES:
        return "\n".join([first, *rest])
    errors = [line for line in rest if ERROR_LINE.search(line)]
    return "\n".join([first, *(errors[: KEPT_LINES - 1] or rest[1 - KEPT_LINES :])])


def text_of(error: BaseException, file: str | None = None) -> str:
    """The last line of the traceback, and where it came from: in `file` if it passed there, else where it was raised."""
    what = _excerpt(traceback.format_exception_only(type(error), error)[-1].strip())
    if isinstance(error, SyntaxError) and error.filename is not None:
        return f"{what} ({os.path.basename(error.filename)}:{error.lineno})"
    frames = traceback.extract_tb(error.__traceback__)
    inside = [frame for frame in frames if frame.filename == file] or frames
    return f"{what} ({os.path.basename(inside[-1].filename)}:{inside[-1].lineno})" if inside else what
