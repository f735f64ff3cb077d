#!/usr/bin/env bash
# On a GPU machine: verdicts of `pawl compare` where the truth is known. The attention kernel against itself, and against
# itself with a slowdown of about 3 % and 5 % planted (bench/planted), ten times each. Writes $1/verdicts.jsonl, a
# comparison a line; bench/verdicts-report.ts makes a page of it.
set -euo pipefail
out=$1
mkdir -p "$out"
for round in $(seq 1 "${2:-10}"); do
  for delay in 0 3300 6300; do
    pawl compare -C bench/planted --kernel planted --a DELAY_NS=0 --b DELAY_NS=$delay --identical --no-check --json --quiet \
      > "$out/one.json" || true
    python3 - "$out/one.json" $delay "$round" <<'PYTHON' | tee -a "$out/verdicts.jsonl" | cut -c1-170
import json, sys
comparison = json.load(open(sys.argv[1]))
case = comparison["cases"][0]
keys = ["verdict", "change_pct", "ci_pct", "processes", "baseline_ms", "candidate_ms", "reason"]
cost = comparison["cost"]
print(json.dumps({"delay_ns": int(sys.argv[2]), "round": int(sys.argv[3]), **{k: case.get(k) for k in keys},
                  "wall_s": round(cost["wall_s"], 2), "device_s": round(cost["device_s"], 2)}, ensure_ascii=False))
PYTHON
  done
done
rm -f "$out/one.json"
