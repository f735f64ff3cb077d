"""pawl.yaml for the experiment: the problem, base kernels and cuDNN of bench/attention, and the variants beside."""
import re
import sys
base = open(sys.argv[1]).read()
head = base[: base.index("\nkernels:\n")]
measure = base[base.index("\nmeasure:") :]
cudnn = re.search(r"  sdpa-cudnn:\n(?:    .*\n)+", base).group(0)
def kernel(name, depth, flags):
    common = "-DORDERED=1 -DRESIDENT=0 -DBOLD=1 -DPOLY=0 -DSELF=0".split()
    if not any("CHAINED" in f for f in flags): common.append("-DCHAINED=0")
    all_flags = ", ".join([f"-DDEPTH={depth}", *flags, *common])
    shared = ""
    cases = ", ".join(f"d{depth}_s{s}{m}" for s in (128, 256, 512, 1024, 2048) for m in ("", "_causal"))
    return f"""  {name}:
    problem: attention
    device: cuda
    language: cuda
    sources: [hopper/attention.cu]
    arch: sm_90a
    fuzz: {{ dims: {{ D: [{depth}] }}, cases: {{ many_tiles: {{ B: 10, H: 14, S: 33, D: {depth}, CAUSAL: 1 }}, three_hundred: {{ B: 2, H: 2, S: 300, D: {depth}, CAUSAL: 1 }} }} }}
    cases: [{cases}]
    flags: [{all_flags}]
"""
print(head + "\n\nkernels:\n" + "".join(kernel(w[0], w[1], w[2:]) for w in map(str.split, open(sys.argv[2]))) + cudnn + measure)
