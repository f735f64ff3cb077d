#!/usr/bin/env bash
# On a GPU, with PyTorch and Triton: Triton files are adopted and measured, a variant is searched for, and the template
# of `pawl init` passes. bench/h200/triton-adopt.sh [PAWL]; ends with 1 at the first that does not.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
pawl=$(realpath "${1:-$here/../../bin/pawl}")
if ! "${PAWL_PYTHON:-python3}" -c 'import torch, triton; assert torch.cuda.is_available()'; then
  echo "skipped: no GPU, or no PyTorch and Triton in ${PAWL_PYTHON:-python3}" >&2
  exit 69
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$here"/../../test/fixtures/adopt/triton/*.py "$work"
cd "$work"
quick=(--processes 2 --samples 20)

# A script with a benchmark and a missing import at its top level; its reference is the oracle, also of its shape.
"$pawl" adopt row_softmax.py --shape x=rows,cols --size rows=1823,cols=781 --out softmax
(cd softmax && "$pawl" bench "${quick[@]}" && "$pawl" tune softmax-triton --case first --trials 7 && "$pawl" tune show)
# Numbers of a launch; the oracle is a copy.
"$pawl" adopt scaled_add.py --function scaled_add --shape x=n --shape y=n --shape out=n --scalar alpha=0.5 --size n=1000003 --out add
(cd add && "$pawl" bench "${quick[@]}" && "$pawl" bench "${quick[@]}" --variant BLOCK=256,num_warps=8)
"$pawl" adopt scaled_add.py --function applied_add --shape x=n --shape y=n --shape out=n --scalar alpha=2 --run "${quick[@]}"
"$pawl" adopt scaled_add.py --function given_block --shape x=n --shape y=n --shape output=n --run "${quick[@]}"
"$pawl" adopt scaled_add.py --function add_in_place --shape x=n --shape y=n --inout y --run "${quick[@]}"
# Configurations that cannot be read: Triton tunes itself.
"$pawl" adopt computed.py --shape x=n --shape out=n --run "${quick[@]}"
"$pawl" init template --template triton
(cd template && "$pawl" bench "${quick[@]}" && "$pawl" tune softmax-triton --case small --trials 10)
"$pawl" init pytorch --template pytorch --device cuda
(cd pytorch && "$pawl" bench "${quick[@]}")
echo "all passed"
