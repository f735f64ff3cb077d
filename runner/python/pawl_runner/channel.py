"""The two descriptors the protocol runs on, out of the kernel's way, and the signature on every answer."""

from __future__ import annotations

import fcntl
import hmac
import json
import os
import resource
import secrets

# Bound here, before any kernel code is imported, so that a kernel that patches these modules changes nothing.
_read, _write, _dumps, _loads = os.read, os.write, json.dumps, json.loads

LOWEST_FD = 200
HIGHEST_FD = 16_384


class Channel:
    def __init__(self, requests_fd: int, answers_fd: int) -> None:
        self._requests = _move(requests_fd)
        self._answers = _move(answers_fd)
        self._signer: hmac.HMAC | None = None
        self._pending = b""
        self._seq = 0

    def use_key(self, key: bytes) -> None:
        """Signs with this key from now on. Only the first key counts; only its keyed state is kept."""
        if self._signer is None:
            self._signer = hmac.new(key, digestmod="sha256")

    @property
    def keyed(self) -> bool:
        return self._signer is not None

    def receive(self) -> object | None:
        """The next request, or None at the end. Raises ValueError for a line that is not JSON."""
        while b"\n" not in self._pending:
            chunk = _read(self._requests, 1 << 16)
            if chunk == b"":
                return None
            self._pending += chunk
        line, _, self._pending = self._pending.partition(b"\n")
        return _loads(line)

    def answer(self, id: int, outcome: dict[str, object]) -> None:
        if self._signer is None:
            raise RuntimeError("an answer before the key came")
        self._seq += 1
        body = _dumps({"id": id, "seq": self._seq, **outcome}, allow_nan=False, separators=(",", ":")).encode()
        signer = self._signer.copy()
        signer.update(body)
        line = b'{"mac":"%s","body":%s}\n' % (signer.hexdigest().encode(), body)
        while line:
            line = line[_write(self._answers, line) :]


def _move(fd: int) -> int:
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    highest = HIGHEST_FD if limit == resource.RLIM_INFINITY else min(HIGHEST_FD, limit)
    span = max(1, highest - LOWEST_FD - 16)
    moved = fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, min(LOWEST_FD, highest // 2) + secrets.randbelow(span))
    os.close(fd)
    return moved
