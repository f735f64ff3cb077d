import numpy as np

framework = "numpy"


def doubled(x):
    return 2 * np.asarray(x)
