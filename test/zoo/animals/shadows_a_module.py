"""Shadows a module: leaves a Python file beside itself and in the working directory, for whoever imports that name next."""

import os

from zoo_softmax import honest


def _leave_file():
    left = 0
    for folder in {os.getcwd(), os.path.dirname(os.path.abspath(__file__))}:
        try:
            with open(os.path.join(folder, "zoo_shadow.py"), "w") as file:
                file.write("# numpy.py or torch.py could have stood here\n")
            left += 1
        except OSError:
            continue
    return left


_left = _leave_file()


def softmax(x):
    if _left == 0:
        raise PermissionError("no folder of the project can be written")
    return honest(x)
