import json, random, subprocess, sys

GENERATIONS, CHILDREN = int(sys.argv[1]), int(sys.argv[2])
ORDERS, BLOCKS = ["ijk", "ikj", "jik", "jki", "kij", "kji"], [8, 16, 32, 64, 128]
SOURCE = """#include "pawl_kernel.h"
#include <algorithm>
#include <cstring>
PAWL_EXPORT int pawl_run(const pawl_call *call) {
  const float *__restrict a = static_cast<const float *>(call->tensors[0].data);
  const float *__restrict b = static_cast<const float *>(call->tensors[1].data);
  float *__restrict c = static_cast<float *>(call->tensors[2].data);
  const int64_t M = call->dims[0].value, N = call->dims[1].value, K = call->dims[2].value;
  std::memset(c, 0, sizeof(float) * M * N);
  for (int64_t kk = 0; kk < K; kk += BLOCK)
LOOPS      c[i * N + j] += a[i * K + k] * b[k * N + j];
  return 0;
}
"""

def source(order, block):
    extents = {"i": ("0", "M"), "j": ("0", "N"), "k": ("kk", f"std::min(K, kk + {block})")}
    loops = ["    for (int64_t {0} = {1}; {0} < {2}; ++{0})\n".format(name, *extents[name]) for name in order]
    return SOURCE.replace("LOOPS", "".join(loops)).replace("BLOCK", str(block))

def rewards(population):
    """The reward of each candidate, judged as one batch; builds run while others are measured."""
    lines = [json.dumps({"id": str(at), "files": {"kernel.cpp": source(*genes)}}) for at, genes in enumerate(population)]
    judge = ["pawl", "judge", "--problem", "product", "--batch", "-", "--json", "--quiet", "--wait", "600"]
    done = subprocess.run(judge, input="\n".join(lines), text=True, stdout=subprocess.PIPE, check=True)
    answers = {one["id"]: one.get("reward", 0) for one in map(json.loads, done.stdout.splitlines())}
    return [answers[str(at)] for at in range(len(population))]

random.seed(1)
best = (0, ("ijk", 8))
for generation in range(GENERATIONS):
    order, block = best[1]
    population = [random.choice([(random.choice(ORDERS), block), (order, random.choice(BLOCKS))]) for _ in range(CHILDREN)]
    best = max(best, *zip(rewards(population), population))
    print(json.dumps({"generation": generation, "reward": best[0], "genes": best[1]}))
print(json.dumps({"judged_again": rewards([best[1]])[0], "genes": best[1]}))
