"""
Entry point: `python3 -B -u -X utf8 runner/python/pawl_candidate LIBRARY [BEFORE] [warm]`, started by the judge. BEFORE is
loaded before any framework (`runner/src/cuda/default_stream.cpp`). With `warm` it becomes a candidate only in copies that
the judge asks for (`warm.py`).
"""

import ctypes
import os
import signal
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
#: Where the judge left its socket.
SOCKET = 3
# The judge waits 1.5 s for the end before it kills.
EXIT_GRACE_S = 1


def main(library: str, before: list[str], warm: bool) -> int:
    for path in before:
        # In front of what frameworks load later.
        ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL)
    # Python put this folder on the path; as a package its modules cannot hide a kernel's own `kernel.py`.
    parent = os.path.dirname(HERE)
    sys.path[:] = [parent, *(entry for entry in sys.path if os.path.abspath(entry or ".") != HERE)]
    from pawl_candidate.hooks import serve
    from pawl_candidate.sources import use_sources
    from pawl_candidate.warm import wait_for_copy
    from pawl_extension.use import use_compilers

    if warm and not wait_for_copy(library):
        return 0
    # Before the judge looks at this process for the first time.
    use_compilers()
    sys.path.remove(parent)
    use_sources()
    os.set_inheritable(SOCKET, False)
    return serve(library, SOCKET)


if __name__ == "__main__":
    _, library, *words = sys.argv
    status = main(library, [word for word in words if word != "warm"], "warm" in words)
    # Profilers write their results in exit handlers, so those run; a kernel's threads may never end.
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(EXIT_GRACE_S)
    sys.exit(status)
