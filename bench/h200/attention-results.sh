#!/usr/bin/env bash
# On a GPU machine with PyTorch: what docs/results/attention.md shows. `attention-results.sh FOLDER PART [PROCESSES]`, a
# part a call, in so many processes a series (4):
#   shapes-64, shapes-128   our Hopper kernels and cuDNN at every shape of that D, cold, audited; 150 to 170 s each
#   others                  the mma.sync kernel and the other backends at every shape, cold
#   modes                   everything at S = 512, D = 64 without a mask: hot and graph, and a second, independent cold run
#   right                   our kernels on generated cases
#   clean                   our kernels under compute-sanitizer
# Then: npx tsc -p tsconfig.bench.json && node .bench/bench/attention-report.js FOLDER > docs/results/attention.md
set -euo pipefail
out=$1
part=$2
processes=${3:-4}
mkdir -p "$out"
git rev-parse --short HEAD > "$out/commit" 2> /dev/null || true
nvidia-smi --query-gpu=name,driver_version,clocks.sm,temperature.gpu,power.draw --format=csv > "$out/gpu-$part.csv"
ours=$(grep -oE '^  (hopper|mma)[a-z0-9-]*:' bench/attention/pawl.yaml | tr -d ' :' | paste -sd,)
measure() { pawl bench --quiet -C bench/attention --wait 600 --no-history "$@"; }
check() {
  pawl fuzz --quiet -C bench/attention --wait 600 --no-save --only $ours,chained "${@:2}" --out "$out/$1.html"
  rm "$out/$1.html"
}

case $part in
  shapes-64 | shapes-128)
    cases=$(grep -oE "^ +d${part#shapes-}_[a-z0-9_]+:" bench/attention/pawl.yaml | tr -d ' :' | paste -sd,)
    measure --verified --only ${ours%%,mma*},chained,sdpa-cudnn --case $cases --processes "$processes" --out "$out/$part.json"
    ;;
  others) measure --no-check --only mma,mma-128,sdpa-flash,sdpa-efficient,sdpa-math --processes 2 --samples 30 --out "$out/others.json" ;;
  modes)
    measure --only hopper,chained,mma,sdpa-cudnn,sdpa-flash,sdpa-efficient,sdpa-math --case d64_s512 --mode cold,hot,graph \
      --processes "$processes" --out "$out/modes.json"
    ;;
  right) check fuzz --cases 400 ;;
  clean) check sanitized --sanitize --no-audit --case tile_and_one,one_causal,prime_257,deep_131,many_tiles ;;
  *) echo "no such part: $part" >&2 && exit 64 ;;
esac
