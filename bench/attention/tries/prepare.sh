#!/usr/bin/env bash
# prepare.sh FOLDER: what run.sh needs on the GPU machine: the patched kernels (hopper), those before counters belonged to
# outputs (before), the harness and a pawl.yaml of the variants.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../../.." && pwd)
mkdir -p "$1" && out=$(cd "$1" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp "$here"/{run.sh,variants.txt,floor.cu,apart.cu} "$top/bench/h200/attention-harness.cu" "$out"
mkdir -p "$scratch/kernels" && cp -r "$top/kernels/attention" "$scratch/kernels/attention"
(cd "$scratch" && git apply --include='kernels/*' "$here/short-heads.patch")
rm -rf "$out/hopper" "$out/before" && cp -r "$scratch/kernels/attention/hopper" "$out/hopper"
mkdir "$out/before" && git -C "$top" archive 5e863921 kernels/attention/hopper | tar x -C "$out/before" --strip-components=3
python3 "$here/make-yaml.py" "$top/bench/attention/pawl.yaml" "$here/variants.txt" > "$out/pawl.yaml"
