#!/usr/bin/env bash
# Runs the zoo's CUDA kernels through check, verified series, fuzzing and compute-sanitizer on a machine with a GPU,
# and prints one line each: caught or MISSED, and by what. Needs Pawl (built, or unpacked from `pawl bundle`), its
# Node, nvcc, and PyTorch for those in Python; nothing is installed.
#
#   test/zoo/run-on-gpu.sh [PAWL] [NODE] [OUT]
#
# PAWL: the command (default: bin/pawl of this repository). NODE: for reading the reports (default: node). OUT: a
# folder for them (default: a temporary one). $LEAVE_OUT: animals that are not run, separated by commas, such as
# cuda-power-limit on a machine whose settings are nobody's business.
set -uo pipefail
zoo=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
pawl=$(realpath "${1:-$zoo/../../bin/pawl}")
node=${2:-node}
out=${3:-$(mktemp -d)}
mkdir -p "$out" && out=$(realpath "$out")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$zoo/." "$work" && cd "$work" && git init --quiet . || exit 70
export GITHUB_TOKEN=${GITHUB_TOKEN:-what the zoo may not see}

animals() { "$node" "$zoo/gpu-report.mjs" names "$@"; }

"$pawl" bench --verified -q --wait 600 --processes 1 --timeout 30 --out "$out/samples.json" \
  --only "$(animals check timed)" > "$out/bench.txt" 2>&1
"$pawl" bench --verified -q --wait 600 --processes 1 --timeout 30 --mode hot --out "$out/hot.json" \
  --only "$(animals hot)" > "$out/hot.txt" 2>&1
"$pawl" fuzz -q --json --no-save --wait 600 --cases 50 --timeout 30 --only "$(animals honest)" \
  > "$out/fuzz.json" 2> "$out/fuzz.txt"
# One case each: a process under compute-sanitizer takes seconds to start, and every case has its own.
"$pawl" fuzz -q --json --no-save --no-audit --wait 600 --case small --max-failures 1 --timeout 120 \
  --sanitize memcheck,racecheck,initcheck,synccheck --only "$(animals sanitize)" \
  > "$out/sanitize.json" 2> "$out/sanitize.txt"

"$node" "$zoo/gpu-report.mjs" report "$out/samples.json" "$out/hot.json" "$out/fuzz.json" "$out/sanitize.json"
status=$?
echo "reports: $out"
exit $status
