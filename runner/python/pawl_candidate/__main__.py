"""Entry point: `python3 -B -u -X utf8 runner/python/pawl_candidate LIBRARY`, started by the judge."""

import os
import signal
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
#: Where the judge left its socket.
SOCKET = 3
# The judge waits 1.5 s for the end before it kills.
EXIT_GRACE_S = 1


def main(library: str) -> int:
    # Python put this folder on the path; as a package its modules cannot hide a kernel's own `kernel.py`.
    parent = os.path.dirname(HERE)
    sys.path[:] = [parent, *(entry for entry in sys.path if os.path.abspath(entry or ".") != HERE)]
    from pawl_candidate.hooks import serve
    from pawl_candidate.sources import use_sources
    from pawl_extension.use import use_compilers

    # Before the judge looks at this process for the first time.
    use_compilers()
    sys.path.remove(parent)
    use_sources()
    os.set_inheritable(SOCKET, False)
    return serve(library, SOCKET)


if __name__ == "__main__":
    status = main(sys.argv[1])
    # Profilers write their results in exit handlers, so those run; a kernel's threads may never end.
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(EXIT_GRACE_S)
    sys.exit(status)
