#!/usr/bin/env bash
# On a GPU machine with PyTorch: the attention kernels as an operator of PyTorch, by `pawl export --torch`, and what it
# does for a small transformer. `export-torch.sh FOLDER [PROCESSES]` (2) writes to FOLDER, and prints one JSON document:
#   1. a project of bench/attention in a git repository of its own, and its first baseline (pawl check --update)
#   2. the operator (pawl export --torch), with its proof: FOLDER/operator/pawl_attention
#   3. its self-test, the refusals, and the transformer (export_torch.py), in so many processes
# CASES names the cases of bench/attention/pawl.yaml (default: five), FUZZ the generated cases for each kernel (40),
# ROUNDS the measurements in a process (100). What is there already from an earlier call is not made again.
set -euo pipefail
mkdir -p "$1"
out=$(cd "$1" && pwd)
processes=${2:-2}
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
python=${PAWL_PYTHON:-python3}
cases=${CASES:-d64_s512,d64_s1024_causal,d64_s2048,d128_s512,d128_s1024_causal}
kernels=hopper,hopper-causal,hopper-short,hopper-128
say() { echo "== $(date -u +%H:%M:%S) $*" >&2; }

if [ ! -d "$out/project" ]; then
  mkdir -p "$out/project.part/bench"
  cp -r "$top/kernels" "$out/project.part/kernels"
  cp -r "$top/bench/attention" "$out/project.part/bench/attention"
  rm -rf "$out/project.part/bench/attention/.pawl" "$out/project.part/bench/attention/pawl-baseline.json"
  git -C "$out/project.part" init -q
  git -C "$out/project.part" config user.name pawl
  git -C "$out/project.part" config user.email pawl@example.org
  printf '.pawl/\n' > "$out/project.part/.gitignore"
  git -C "$out/project.part" add -A
  git -C "$out/project.part" commit -qm 'the kernels and their cases'
  mv "$out/project.part" "$out/project"
fi
cd "$out/project/bench/attention"

if [ ! -f pawl-baseline.json ]; then
  say "baseline: $cases"
  pawl check --update --accept-load --profile never --only $kernels --case "$cases" --processes 3 --wait 600 --quiet >&2 ||
    echo "pawl check ended with $?" >&2
fi
if [ ! -f "$out/export.json" ]; then
  say "export"
  mkdir -p "$out/operator"
  pawl export --torch $kernels --out "$out/operator/pawl_attention" --force --fuzz "${FUZZ:-40}" --wait 600 \
    --quiet --json > "$out/export.part"
  mv "$out/export.part" "$out/export.json"
fi

export PYTHONPATH=$out/operator
if [ ! -f "$out/selftest.json" ]; then
  say "self-test"
  $python -m pawl_attention.selftest --json > "$out/selftest.part" || echo "the self-test ended with $?" >&2
  mv "$out/selftest.part" "$out/selftest.json"
fi
for process in $(seq 1 "$processes"); do
  [ -f "$out/process-$process.json" ] && continue
  say "transformer, process $process"
  $python "$here/export_torch.py" measure --rounds "${ROUNDS:-100}" --process "$process" > "$out/process.part"
  mv "$out/process.part" "$out/process-$process.json"
done
say "done"
$python "$here/export_torch.py" merge "$out"/export.json "$out"/selftest.json "$out"/process-*.json | tee "$out/export-torch.json"
