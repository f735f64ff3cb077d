#!/usr/bin/env bash
# On a GPU machine: variants of the Hopper attention kernel at B=32 H=8 S=512 D=64, cuDNN before and after. Writes to $1.
set -euo pipefail
out=$1
mkdir -p "$out"
cudnn() { pawl bench --quiet --only sdpa-cudnn --case training_512 --mode cold,hot --processes 2 --out "$out/cudnn-$1.json" | grep training; }

cudnn before
while read -r m n stages blocks ordered; do
  name=$m-$n-$stages-$blocks-$ordered
  echo "BLOCK_M=$m BLOCK_N=$n STAGES=$stages BLOCKS_PER_SM=$blocks ORDERED=$ordered"
  pawl bench --quiet --only attention-hopper --case training_512 --mode cold,hot --processes 3 --timeout 20 \
    --variant "BLOCK_M=$m,BLOCK_N=$n,STAGES=$stages,BLOCKS_PER_SM=$blocks,ORDERED=$ordered" \
    --out "$out/$name.json" 2>&1 | grep -E 'training_512|pawl:|left out' || true
done <<'VARIANTS'
256 64 4 1 0
256 64 4 1 1
256 64 8 1 1
128 128 3 1 0
128 128 3 1 1
192 64 4 1 0
64 64 2 3 0
VARIANTS
cudnn after
