"""Entry point: `python3 -B -X utf8 runner/python/pawl_runner`."""

import ctypes
import os
import signal
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
EXIT_USAGE = 64  # sysexits.h
# The orchestrator waits 2 s for the end before it kills.
EXIT_GRACE_S = 1


def main() -> int:
    # Python put this folder on the path; as a package its modules cannot hide a kernel's own `session.py`.
    parent = os.path.dirname(HERE)
    sys.path[:] = [parent, *(entry for entry in sys.path if os.path.abspath(entry or ".") != HERE)]
    from pawl_runner.channel import Channel
    from pawl_runner.session import Session

    sys.path.remove(parent)
    # A runner must not outlive its orchestrator, whatever the kernel does with the channels.
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    # Orphans of orphans become ours: a helper process stays in sight, however it was started.
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    try:
        channel = Channel(requests_fd=3, answers_fd=4)
    except OSError as error:
        print(f"pawl_runner: {error}; requests come on descriptor 3 and answers go to 4", file=sys.stderr)
        return EXIT_USAGE
    return Session(channel).serve()


if __name__ == "__main__":
    status = main()
    # Profilers write their results in exit handlers, so those run; a kernel's threads may never end.
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(EXIT_GRACE_S)
    sys.exit(status)
