"""
The exported attention operator inside a small transformer: same results, and how long a forward pass takes with it and
with F.scaled_dot_product_attention. `measure` is one process; `merge` makes one document of several. export-torch.sh
calls both.
"""

import argparse
import json
import random
import statistics
import sys
import time


def quantile(values, share):
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def interval(processes, resamples=2000, seed=7):
    """Of the median of process medians, 95 %: processes are drawn, then rounds within them."""
    source = random.Random(seed)
    drawn = []
    for _ in range(resamples):
        chosen = [source.choice(processes) for _ in processes]
        drawn.append(statistics.median(statistics.median(source.choices(one, k=len(one))) for one in chosen))
    middle = statistics.median(statistics.median(one) for one in processes)
    return {"median": middle, "low": quantile(drawn, 0.025), "high": quantile(drawn, 0.975)}


# -- the model ---------------------------------------------------------------------------------------------------------


def make_model(torch, shape, attention, layers):
    """Pre-norm blocks with rotary positions, as language models have them. Attention gets [B, H, S, D]."""
    nn, F = torch.nn, torch.nn.functional
    heads, depth, length = shape["H"], shape["D"], shape["S"]
    width = heads * depth

    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.before, self.after = nn.LayerNorm(width), nn.LayerNorm(width)
            self.qkv, self.out = nn.Linear(width, 3 * width, bias=False), nn.Linear(width, width, bias=False)
            self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

        def forward(self, x, cos, sin):
            batch = x.shape[0]
            qkv = self.qkv(self.before(x)).view(batch, length, 3, heads, depth)
            q, k, v = (one.transpose(1, 2) for one in qkv.unbind(2))
            y = attention(turned(torch, q, cos, sin), turned(torch, k, cos, sin), v, shape["CAUSAL"])
            x = x + self.out(y.transpose(1, 2).reshape(batch, length, width))
            return x + self.down(F.gelu(self.up(self.after(x))))

    class Transformer(nn.Module):
        def __init__(self):
            super().__init__()
            self.blocks = nn.ModuleList([Block() for _ in range(layers)])
            steps = torch.arange(0, depth, 2) / depth
            angles = torch.outer(torch.arange(length).float(), 10000.0**-steps)
            self.register_buffer("cos", torch.cat([angles.cos(), angles.cos()], -1))
            self.register_buffer("sin", torch.cat([angles.sin(), angles.sin()], -1))

        def forward(self, x):
            for block in self.blocks:
                x = block(x, self.cos, self.sin)
            return x

    return Transformer()


def turned(torch, x, cos, sin):
    half = x.shape[-1] // 2
    return x * cos + torch.cat([-x[..., half:], x[..., :half]], -1) * sin


# -- what attention is computed by ---------------------------------------------------------------------------------------


def contenders(torch, package):
    F = torch.nn.functional
    backends = torch.backends.cuda

    def sdpa(q, k, v, causal):
        return F.scaled_dot_product_attention(q, k, v, is_causal=bool(causal))

    def operator(q, k, v, causal):
        return package.op(q.contiguous(), k.contiguous(), v.contiguous(), causal)

    def only(cudnn, flash):
        def use():
            backends.enable_cudnn_sdp(cudnn)
            backends.enable_flash_sdp(flash)
            backends.enable_mem_efficient_sdp(cudnn and flash)
            backends.enable_math_sdp(cudnn and flash)

        return use

    everything = only(True, True)
    return {
        "sdpa": (sdpa, everything),
        "sdpa-cudnn": (sdpa, only(True, False)),
        "sdpa-flash": (sdpa, only(False, True)),
        "pawl": (operator, everything),
    }


def time_ms(torch, call, repeats=1):
    start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    torch.cuda.synchronize()
    start.record()
    for _ in range(repeats):
        call()
    end.record()
    end.synchronize()
    return start.elapsed_time(end) / repeats


def interleaved(torch, calls, rounds, repeats=1):
    """Every call once a round, in random order."""
    source = random.Random(11)
    times = {name: [] for name in calls}
    names = list(calls)
    for _ in range(rounds):
        source.shuffle(names)
        for name in names:
            use, call = calls[name]
            use()
            times[name].append(time_ms(torch, call, repeats))
    return times


def host_us(torch, call, count=200):
    """What a call takes on the host, the device aside."""
    torch.cuda.synchronize()
    best = float("inf")
    for _ in range(5):
        begin = time.perf_counter()
        for _ in range(count // 5):
            call()
        best = min(best, (time.perf_counter() - begin) / (count // 5))
        torch.cuda.synchronize()
    return best * 1e6


# -- one shape -----------------------------------------------------------------------------------------------------------


def errors(torch, found, right):
    off = found.double() - right.double()
    return {"max_abs": off.abs().max().item(), "rms": off.pow(2).mean().sqrt().item()}


def measure_shape(torch, package, shape, layers, rounds):
    torch._dynamo.reset()
    torch.manual_seed(1)
    who = contenders(torch, package)
    width = shape["H"] * shape["D"]
    x = torch.randn(shape["B"], shape["S"], width, device="cuda", dtype=torch.float16)
    exact = make_model(torch, shape, who["sdpa"][0], layers).cuda()
    weights = exact.state_dict()
    who["sdpa"][1]()
    # A few sequences are enough to tell a wrong result, and all of them in f32 would take long.
    right = exact(x[:2].float())
    result = {"shape": shape, "layers": layers, "results": {}, "forward_ms": {}, "lost": []}
    calls = {}
    # FlashAttention is timed alone, below: compiling takes most of the time here.
    for name in ("sdpa", "sdpa-cudnn", "pawl"):
        attention, use = who[name]
        model = make_model(torch, shape, attention, layers).cuda()
        model.load_state_dict(weights)
        model.half().eval()
        use()
        for way, called in (("eager", model), ("compiled", torch.compile(model, fullgraph=True, dynamic=False))):
            try:
                outputs = [called(x) for _ in range(3)]
                torch.cuda.synchronize()
            except Exception as error:  # A backend that does not take a shape is told of, and the others go on.
                result["lost"].append({"attention": name, "way": way, "error": str(error).splitlines()[0][:300]})
                continue
            result["results"][f"{way}/{name}"] = {
                **errors(torch, outputs[-1][:2], right),
                "repeatable": bool(torch.equal(outputs[1], outputs[2])),
            }
            calls[f"{way}/{name}"] = (use, lambda called=called: called(x))
    who["sdpa"][1]()
    noise = {way: result["results"][f"{way}/sdpa"]["rms"] for way in ("eager", "compiled") if f"{way}/sdpa" in calls}
    # fp16 rounds everywhere else too: as far from the exact result as PyTorch's own attention is, or a quarter more.
    result["same_results"] = all(
        f"{way}/pawl" in calls and result["results"][f"{way}/pawl"]["rms"] <= 1.25 * noise[way] for way in noise
    )
    for _ in range(5):
        for use, call in calls.values():
            use()
            call()
    result["forward_ms"] = interleaved(torch, calls, rounds)

    sizes = (shape["B"], shape["H"], shape["S"], shape["D"])
    q, k, v = (torch.randn(sizes, device="cuda", dtype=torch.float16) for _ in range(3))
    alone = {}
    for name, (attention, use) in who.items():
        use()
        try:
            attention(q, k, v, shape["CAUSAL"])
            torch.cuda.synchronize()
        except RuntimeError as error:
            result["lost"].append({"attention": name, "way": "alone", "error": str(error).splitlines()[0][:300]})
            continue
        alone[name] = (use, lambda attention=attention: attention(q, k, v, shape["CAUSAL"]))
    result["attention_ms"] = interleaved(torch, alone, max(10, rounds // 2), repeats=20)
    result["host_us"] = {}
    for name, (use, call) in alone.items():
        use()
        result["host_us"][name] = host_us(torch, call)
    who["sdpa"][1]()
    return result


def refusals(torch, package):
    """What was not proven is refused, each with its reason."""
    row = package.table.rows[0]
    shape = dict(zip([dim["name"] for dim in package.table.dims], row.dims))
    sizes = [shape[name] for name in "BHSD"]

    def made(dtype=torch.float16, of=None):
        return torch.randn(of or sizes, device="cuda", dtype=dtype)

    q = made()
    other = made(of=[sizes[0] + 1, *sizes[1:]])
    views = made(of=[sizes[0], sizes[2], sizes[1], sizes[3]]).transpose(1, 2)
    tries = {
        "another shape": lambda: package.op(other, other, other, shape["CAUSAL"]),
        "another type": lambda: package.op(made(torch.bfloat16), q, q, shape["CAUSAL"]),
        "not contiguous": lambda: package.op(views, q, q, shape["CAUSAL"]),
        "another mask": lambda: package.op(q, q, q, 2),
        "on the host": lambda: package.op(q.cpu(), q, q, shape["CAUSAL"]),
        "needs a gradient": lambda: package.op(made().requires_grad_(), q, q, shape["CAUSAL"]),
    }
    found = {}
    for name, call in tries.items():
        try:
            with torch.enable_grad():
                call()
            found[name] = None
        except (RuntimeError, NotImplementedError) as error:
            found[name] = str(error).splitlines()[0][:200]
    return found


def graph_replay(torch, package):
    """The operator in a CUDA graph on a stream of its own: the same result, ten times."""
    row = package.table.rows[0]
    shape = dict(zip([dim["name"] for dim in package.table.dims], row.dims))
    q, k, v = (torch.randn([shape[name] for name in "BHSD"], device="cuda", dtype=torch.float16) for _ in range(3))
    wanted = package.op(q, k, v, shape["CAUSAL"])
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        aside = package.op(q, k, v, shape["CAUSAL"])
    torch.cuda.current_stream().wait_stream(stream)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        captured = package.op(q, k, v, shape["CAUSAL"])
    same = []
    for _ in range(10):
        captured.fill_(float("nan"))
        graph.replay()
        same.append(bool(torch.equal(captured, wanted)))
    return {"other_stream": bool(torch.equal(aside, wanted)), "replays_same": sum(same), "replays": len(same)}


def measure(options):
    import torch

    import pawl_attention as package

    found = {
        "process": options.process,
        "device": torch.cuda.get_device_name(0),
        "torch": torch.__version__,
        "cuda": torch.version.cuda,
        "binding": package.binding,
        "binding_problem": package.binding_problem,
        "refusals": refusals(torch, package),
        "graph": graph_replay(torch, package),
        "opcheck": "passed",
        "shapes": [],
    }
    row = package.table.rows[0]
    shape = dict(zip([dim["name"] for dim in package.table.dims], row.dims))
    q = torch.randn([shape[name] for name in "BHSD"], device="cuda", dtype=torch.float16)
    try:
        torch.library.opcheck(package.op, (q, q, q, shape["CAUSAL"]))
    except Exception as error:
        found["opcheck"] = str(error)[:500]
    with torch.no_grad():
        for row in package.table.rows:
            shape = dict(zip([dim["name"] for dim in package.table.dims], row.dims))
            print(f"  {shape}", file=sys.stderr, flush=True)
            found["shapes"].append(measure_shape(torch, package, shape, options.layers, options.rounds))
    print(json.dumps(found))


# -- several processes as one document -------------------------------------------------------------------------------------


def ratios(processes, before, after):
    """How many times as fast, round by round."""
    pairs = [(one.get(before), one.get(after)) for one in processes]
    if any(first is None or second is None for first, second in pairs):
        return None
    return interval([[a / b for a, b in zip(first, second)] for first, second in pairs])


def merge(options):
    documents = []
    for name in options.files:
        with open(name, encoding="utf-8") as file:
            documents.append(json.load(file))
    export = next(one for one in documents if one.get("schema") == "pawl.torch-export/1")
    selftest = next(one for one in documents if "passed" in one)
    processes = [one for one in documents if "process" in one]
    shapes = []
    for at, first in enumerate(processes[0]["shapes"]):
        each = [one["shapes"][at] for one in processes]
        forward, alone = [one["forward_ms"] for one in each], [one["attention_ms"] for one in each]
        shapes.append(
            {
                "shape": first["shape"],
                "layers": first["layers"],
                "same_results": all(one["same_results"] for one in each),
                "results": first["results"],
                "lost": [lost for one in each for lost in one["lost"]],
                "forward_ms": {name: interval([one[name] for one in forward]) for name in forward[0]},
                "forward_speedup": {
                    f"{way} over {name}": ratios(forward, f"{way}/{name}", f"{way}/pawl")
                    for way in ("eager", "compiled")
                    for name in ("sdpa", "sdpa-cudnn")
                },
                "attention_us": {
                    name: {key: 1000 * value for key, value in interval([one[name] for one in alone]).items()}
                    for name in alone[0]
                },
                "attention_speedup": {
                    f"over {name}": ratios(alone, name, "pawl") for name in ("sdpa", "sdpa-cudnn", "sdpa-flash")
                },
                "host_us": first["host_us"],
            }
        )
    head = {key: processes[0][key] for key in ("device", "torch", "cuda", "binding", "binding_problem", "refusals", "graph", "opcheck")}
    dispatch, proof = export["dispatch"], export["proof"]
    print(
        json.dumps(
            {
                **head,
                "commit": proof.get("commit"),
                "processes": len(processes),
                "exported": {
                    "operator": export["operator"],
                    "schema": dispatch["operator"]["schema"],
                    "variants": [{k: one[k] for k in ("kernel", "same_code")} for one in dispatch["variants"]],
                    "rows": [{"dims": one["dims"], "time": one["time"]} for one in dispatch["rows"]],
                    "fuzz": [{k: one[k] for k in ("kernel", "passed", "worst_share")} for one in proof.get("fuzz", [])],
                },
                "selftest": {"passed": selftest["passed"], "shapes": selftest["shapes"], "results": selftest["results"]},
                "shapes": shapes,
            },
            indent=1,
        )
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("measure")
    one.add_argument("--rounds", type=int, default=100)
    one.add_argument("--layers", type=int, default=4)
    one.add_argument("--process", type=int, default=1)
    several = commands.add_parser("merge")
    several.add_argument("files", nargs="+")
    options = parser.parse_args()
    (measure if options.command == "measure" else merge)(options)


if __name__ == "__main__":
    main()
