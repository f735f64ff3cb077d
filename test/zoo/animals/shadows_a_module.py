"""Shadows a module: leaves a Python file beside itself, where whoever imports that name next finds it first."""

import os

from zoo_softmax import honest


def _leave_file():
    try:
        with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "zoo_shadow.py"), "w") as file:
            file.write("# numpy.py or torch.py could have stood here\n")
        return True
    except OSError:
        return False


_left = _leave_file()


def softmax(x):
    if not _left:
        raise PermissionError("the folder of the module cannot be written")
    return honest(x)
