"""The SciPy side of stats-speed: reads the samples as JSON from standard input, prints times and results as JSON."""

import json
import statistics
import sys
import time

import numpy as np
import scipy
from scipy import stats

samples = {name: [np.array(array) for array in arrays] for name, arrays in json.load(sys.stdin).items()}


def timed(run, inputs, at_least_s=1.0):
    """Median seconds a call, over rounds that each take every input in turn, and the result for the first."""
    result = run(*inputs[0])
    times = []
    end = time.perf_counter() + at_least_s
    while len(times) < 5 or time.perf_counter() < end:
        start = time.perf_counter()
        for arguments in inputs:
            run(*arguments)
        times.append((time.perf_counter() - start) / len(inputs))
    return {"seconds": statistics.median(times), "result": result}


def bootstrap_median(x):
    interval = stats.bootstrap(
        (x,), np.median, n_resamples=10_000, method="percentile", vectorized=True, random_state=42
    ).confidence_interval
    return [float(interval.low), float(interval.high)]


def mann_whitney(x, y):
    test = stats.mannwhitneyu(x, y, method="asymptotic")
    return [float(test.statistic), float(test.pvalue)]


def delta_by_mann_whitney(x, y):
    return [2 * float(stats.mannwhitneyu(x, y, method="asymptotic").statistic) / (len(x) * len(y)) - 1]


def delta_by_all_pairs(x, y):
    return [float(np.sign(x[:, None] - y[None, :]).mean())]


def delta_by_search(x, y):
    ordered = np.sort(y)
    below = np.searchsorted(ordered, x, "left").sum()
    above = (len(y) - np.searchsorted(ordered, x, "right")).sum()
    return [float(below - above) / (len(x) * len(y))]


def in_pairs(arrays):
    return list(zip(arrays[::2], arrays[1::2]))


json.dump(
    {
        "versions": f"SciPy {scipy.__version__}, NumPy {np.__version__}, Python {sys.version.split()[0]}",
        "bootstrapMedian": timed(bootstrap_median, [(x,) for x in samples["n100"]]),
        "mannWhitney": timed(mann_whitney, in_pairs(samples["n1000"])),
        "deltaByMannWhitney": timed(delta_by_mann_whitney, in_pairs(samples["n10000"])),
        "deltaByAllPairs": timed(delta_by_all_pairs, in_pairs(samples["n10000"])[:1]),
        "deltaBySearch": timed(delta_by_search, in_pairs(samples["n10000"])),
    },
    sys.stdout,
)
