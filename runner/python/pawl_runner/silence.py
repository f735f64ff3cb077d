"""Catches what a kernel prints while its reading and writing is counted, and prints it afterwards."""

from __future__ import annotations

import os
import sys
from typing import Any

_dup, _dup2, _write, _close, _pread, _fstat = os.dup, os.dup2, os.write, os.close, os.pread, os.fstat
_DESCRIPTORS = (1, 2)


class Silence:
    def __enter__(self) -> Silence:
        self._flush()
        self._caught = [os.memfd_create(f"printed-{descriptor}", os.MFD_CLOEXEC) for descriptor in _DESCRIPTORS]
        self._saved = [_dup(descriptor) for descriptor in _DESCRIPTORS]
        for descriptor, caught in zip(_DESCRIPTORS, self._caught):
            _dup2(caught, descriptor)
        return self

    def printed_bytes(self) -> int:
        """What was printed so far; text that Python still holds is printed first."""
        self._flush()
        return sum(_fstat(caught).st_size for caught in self._caught)

    def __exit__(self, *_: Any) -> None:
        self._flush()
        for descriptor, caught, saved in zip(_DESCRIPTORS, self._caught, self._saved):
            _dup2(saved, descriptor)
            _close(saved)
            at = 0
            while part := _pread(caught, 1 << 16, at):
                at += len(part)
                while part:
                    part = part[_write(descriptor, part) :]
            _close(caught)

    def _flush(self) -> None:
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except (AttributeError, OSError, ValueError):
                pass  # A kernel may have closed or replaced it.
