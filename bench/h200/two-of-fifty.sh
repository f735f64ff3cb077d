#!/usr/bin/env bash
# On a GPU machine: what a pull request costs that touches 2 of 50 kernels and a comment in a header that all include.
# two-of-fifty.sh OUT [--cpu]: makes the project (two_of_fifty.py) and its baseline, changes it on a branch, and runs
# `pawl ci` as a runner would that has built the base before. Writes OUT/two-of-fifty.json, ci.json, comment.md and trace.txt
# (what each request to the judge took). FAMILIES=gelu,exp-mean: ten of the kernels only.
# With --cpu, kernels in C++: to try the script where there is no GPU.
set -uo pipefail
mkdir -p "$1"
out=$(cd "$1" && pwd)
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
project=$(mktemp -d)/fifty
export PAWL_ACCEPT_LOAD=1
say() { printf '%4d s  %s\n' "$SECONDS" "$*"; }

python3 "$here/two_of_fifty.py" make "$project" ${2:+"$2"}
cd "$project" || exit 1
git init -q -b main . && git config user.name pawl && git config user.email pawl@example.org
git add -A && git commit -qm 'Fifty kernels'
timeout 200 pawl build -q > "$out/build.txt" 2>&1 || say "pawl build: exit $?"
say built
# Entries say which commit to compare with; their series are not what a change is held against. Timed results are
# compared with the oracle as always for the two that the change touches: for the others it would only cost time here.
update() {
  timeout 300 pawl check --update --accept-load --processes 1 --samples 20 --no-history --profile never --wait 120 \
    "$@" -q >> "$out/baseline.txt" 2>&1 || say "the baseline: exit $?"
}
update --only gelu-256x4,exp-mean-256x1
update --no-verify
say "baseline: $(grep -o 'took .*' "$out/baseline.txt" | head -1), $(grep -c '"series"' pawl-baseline.json) entries"
git add -A && git commit -qm 'A baseline'

git checkout -q -b change
python3 "$here/two_of_fifty.py" change "$project" ${2:+"$2"}
git commit -qam 'Touch two kernels, and the header of all'
began=$EPOCHREALTIME
PAWL_TRACE=$out/trace.txt timeout 400 pawl ci run --event none --base main --no-comment --wait 120 --out "$out/ci" -q > "$out/ci.txt" 2>&1
code=$?
ended=$EPOCHREALTIME
say "pawl ci: exit $code"
cp "$out/ci/ci.json" "$out/ci/comment.md" "$out/"
tar cJf "$out/ci.tar.xz" -C "$out" ci && rm -rf "$out/ci"
python3 - "$out" "$code" "$began" "$ended" << 'PYTHON'
import json, sys

out, code, began, ended = sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), float(sys.argv[4])
run = json.load(open(f"{out}/ci.json"))
check = run.get("check", {})
rows = check.get("comparison", {}).get("cases", [])
taken = [row for row in rows if sum(row["processes"]) > 0]
result = {
    "kernels": len(rows),
    "measured": [{key: row.get(key) for key in ("kernel", "verdict", "change_pct", "ci_pct", "processes")} for row in taken],
    "not_measured": sum(row["verdict"] == "maintained" and sum(row["processes"]) == 0 for row in rows),
    "wall_s": round(ended - began, 1),
    "cost": check.get("cost"),
    "steps_s": {step["name"]: round(step["seconds"], 1) for step in run["steps"] if "seconds" in step},
    "verdict": run["verdict"],
    "exit": code,
    "hardware": check.get("hardware"),
    "pawl_version": run.get("pawl_version"),
}
json.dump(result, open(f"{out}/two-of-fifty.json", "w"), indent=1)
print(json.dumps(result, indent=1))
PYTHON
rm -rf "$(dirname "$project")"
