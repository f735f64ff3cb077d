"""Series with known truth for scoring a decision rule on kernels it was not made on (bench/gate-quality.ts).

Thirty fresh processes; in each, every kernel is measured three times unchanged and once each with a device-side
delay of 1, 2, 3, 5 and 10 % of that process's own median, in shuffled order: 100 samples a series, CUDA events
around one call, L2 overwritten before each, clocks as they are. Prints the form of bench/data/h200-attention.json.

A process is forked before CUDA starts, so each has a context of its own and none pays for `import torch` again.
"""

import json
import os
import random
import sys
import time

import torch

PROCESSES = 30
SAMPLES = 100
SLOWDOWNS = [0, 0, 0, 1, 2, 3, 5, 10]


def kernels():
    half = {"device": "cuda", "dtype": torch.float16}
    a, b = torch.randn(4096, 4096, **half), torch.randn(4096, 4096, **half)
    rows = torch.randn(32768, 4096, **half)
    wide = torch.randn(65536, 2048, device="cuda")
    big = torch.randn(256 * 1024 * 1024, **half)
    keys = torch.randint(0, 1 << 30, (1 << 20,), device="cuda", dtype=torch.int32)
    table = torch.randn(1 << 20, 64, device="cuda")
    places = torch.randint(0, 1 << 20, (1 << 20,), device="cuda")
    return {
        "gemm_4096": lambda: torch.matmul(a, b),
        "layer_norm_32768x4096": lambda: torch.nn.functional.layer_norm(rows, (4096,)),
        "softmax_65536x2048_f32": lambda: torch.softmax(wide, -1),
        "copy_512MB": lambda: big.clone(),
        "sort_1M": lambda: torch.sort(keys),
        "gather_1M": lambda: torch.index_select(table, 0, places),
    }


def take(call, flush, delay_cycles):
    times = []
    for _ in range(SAMPLES):
        flush.zero_()
        start, stop = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        start.record()
        call()
        if delay_cycles:
            torch.cuda._sleep(delay_cycles)
        stop.record()
        stop.synchronize()
        times.append(start.elapsed_time(stop))
    return times


def median(times):
    return sorted(times)[len(times) // 2]


def measure(process, out):
    flush = torch.empty(256 << 20, dtype=torch.uint8, device="cuda")
    calls = kernels()
    with torch.no_grad():
        for call in calls.values():
            for _ in range(20):
                call()
        rate = 400_000 / (median(take(lambda: None, flush, 500_000)) - median(take(lambda: None, flush, 100_000)))
        for name, call in calls.items():
            own = median(take(call, flush, 0))
            # What the shortest sleep adds behind this kernel; the rest is planted in cycles.
            shortest_ms = median(take(call, flush, 1)) - own
            plan = SLOWDOWNS[:]
            random.shuffle(plan)
            for slowdown in plan:
                wanted_ms = own * slowdown / 100
                # A delay shorter than that cannot be planted: the series is left out.
                if slowdown and wanted_ms < shortest_ms:
                    continue
                cycles = max(1, int((wanted_ms - shortest_ms) * rate)) if slowdown else 0
                row = {
                    "case": name,
                    "process": process,
                    "injected_slowdown_pct": slowdown,
                    "started_at": round(time.time(), 3),
                    "samples_ms": [round(ms, 6) for ms in take(call, flush, cycles)],
                }
                out.write(json.dumps(row) + "\n")
    out.flush()


def main():
    path = sys.argv[1]
    rows = path + ".rows"
    for process in range(1, PROCESSES + 1):
        child = os.fork()
        if child == 0:
            random.seed()
            with open(rows, "a") as out:
                measure(process, out)
            os._exit(0)
        os.waitpid(child, 0)
    with open(rows) as lines:
        series = [json.loads(line) for line in lines]
    os.remove(rows)
    head = {"device": torch.cuda.get_device_name(), "cuda": torch.version.cuda, "clock_lock": False, "l2_flush": True}
    with open(path, "w") as out:
        json.dump({**head, "timer": "cuda events around one call", "series": series}, out, separators=(",", ":"))


main()
