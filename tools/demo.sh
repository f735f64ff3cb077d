#!/usr/bin/env bash
# The main job, on this machine: the tunable CPU attention kernel, and the CUDA one where there is a GPU and nvcc.
set -euo pipefail
cd "$(dirname "$0")/.."
out=.pawl/demo
rm -rf "$out"

say() { printf '\n\033[1m%s\033[0m\n' "$1"; }

say '1. Is everything here? (pawl doctor)'
bin/pawl doctor || true

kernels=attention-cpu
if nvidia-smi -L >/dev/null 2>&1 && command -v nvcc >/dev/null; then
  kernels=attention-cpu,attention-cuda
  if [ -t 0 ]; then
    read -r -p 'A GPU is here. Measure the CUDA kernel too? [Y/n] ' answer
    case "$answer" in [nN]*) kernels=attention-cpu ;; esac
  fi
fi

say "2. Build, check and measure: pawl bench --only $kernels"
bin/pawl bench --only "$kernels" --processes "${DEMO_PROCESSES:-3}" --out "$out/attention.json"

say 'Where to look'
printf '  %s\n' "$out/attention.html   the report, for a browser" "$out/attention.md     the same as text" \
  "$out/attention.json   every sample, for scripts (docs/schemas/samples.json)"
