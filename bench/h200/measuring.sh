#!/usr/bin/env bash
# On a machine with a GPU: how well Pawl measures, beside other tools, in one run. `measuring.sh FOLDER PART`:
#   agreement  our modes beside Triton's do_bench and a plain CUDA graph replay of the same calls
#   spread     the median of ten fresh processes, with the blocking kernel and with plain events
# bench/measuring-report.ts turns what it wrote into docs/results/h200/measuring.md.
set -euo pipefail
out=$1
part=$2
mkdir -p "$out"
cases=short_128,training_512,long_1024,long_2048
nvidia-smi --query-gpu=name,driver_version,clocks.sm,temperature.gpu,power.draw --format=csv > "$out/gpu-$part.csv"

case $part in
  agreement)
    for process in 1 2; do python3 bench/h200/peers.py $process >> "$out/peers.jsonl"; done
    pawl bench --quiet --only attention-cuda,sdpa-flash,sdpa-cudnn,sdpa-efficient,sdpa-math --case $cases \
      --mode cold,hot,graph --processes 5 --out "$out/backends.json"
    for process in 3 4; do python3 bench/h200/peers.py $process >> "$out/peers.jsonl"; done
    ;;
  spread)
    for timing in blocked plain; do
      pawl bench --quiet --no-check --only attention-cuda,sdpa-flash --case $cases --mode cold --processes 10 \
        --timing $timing --out "$out/spread-$timing.json"
    done
    ;;
esac
