"""The same calls timed by other people's tools: Triton's do_bench, a CUDA graph replay, plain events.

One process gives one median for each call and tool; run it several times. Prints JSON lines.
"""

import json
import sys
import time

import torch
import triton.testing

sys.path.insert(0, "kernels/attention/python")
import sdpa  # noqa: E402

CASES = {
    "short_128": (32, 8, 128, 64),
    "training_512": (32, 8, 512, 64),
    "long_1024": (16, 8, 1024, 64),
    "long_2048": (8, 16, 2048, 64),
}
BACKENDS = ["flash", "cudnn", "efficient", "math"]


def graph_replay_ms(call, batch=20, replays=100, pause_s=0.0):
    """Median over replays of a graph that holds the call `batch` times, a call.

    A pause before each replay lets the chip's power settle: without one, heavy kernels lower their own clock.
    """
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        for _ in range(3):
            call()
        stream.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, stream=stream):
            for _ in range(batch):
                call()
        times = []
        for _ in range(replays):
            start, stop = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
            time.sleep(pause_s)
            start.record(stream)
            graph.replay()
            stop.record(stream)
            stop.synchronize()
            times.append(start.elapsed_time(stop) / batch)
    return sorted(times)[len(times) // 2]


def main():
    process = int(sys.argv[1])
    for case, (b, h, s, d) in CASES.items():
        for backend in BACKENDS:
            q, k, v = (torch.randn(b, h, s, d, device="cuda", dtype=torch.float16) for _ in range(3))
            function = getattr(sdpa, backend)

            def call():
                with torch.no_grad():
                    return function(q, k, v, CAUSAL=0)

            call()
            row = {
                "process": process,
                "kernel": f"sdpa-{backend}",
                "case": case,
                # do_bench overwrites 256 MB before each call and takes events around it: our cold mode.
                "do_bench_ms": triton.testing.do_bench(call, warmup=50, rep=200, return_mode="median"),
                "graph_ms": graph_replay_ms(call),
                "graph_paused_ms": graph_replay_ms(call, pause_s=0.002),
            }
            print(json.dumps(row), flush=True)


main()
