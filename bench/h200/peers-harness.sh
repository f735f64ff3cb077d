#!/bin/sh
# The candidates of bench/h200/judge in KernelBench's own evaluation, for what a verdict takes there. One process for
# each, as KernelBench's scripts do. Prints a line of JSON per candidate, with the seconds of the whole process in
# wall_s. Needs a GPU, PyTorch and Triton, and a checkout of KernelBench, which is only read:
#
#   bench/h200/peers-harness.sh /path/to/KernelBench > peers.jsonl
set -eu

kernelbench=${1:?"Usage: peers-harness.sh PATH_OF_KERNELBENCH"}
python=${PAWL_PYTHON:-python3}
here=$(dirname "$0")
[ -f "$kernelbench/src/kernelbench/eval.py" ] || {
  echo "$kernelbench is not a checkout of KernelBench." >&2
  exit 65
}

judge() { # problem folder
  for candidate in "$here/judge/$2"/*.py; do
    began=$(date +%s.%N)
    line=$(timeout "${PEERS_TIMEOUT_S:-300}" "$python" "$here/peers_harness.py" "$kernelbench" "$1" "$candidate") ||
      line="{\"harness\": \"KernelBench\", \"problem\": \"$1\", \"candidate\": \"$(basename "$candidate")\", \"error\": \"it did not end\"}"
    wall_s=$(echo "$(date +%s.%N) $began" | awk '{ printf "%.3f", $1 - $2 }')
    echo "${line%\}}, \"wall_s\": $wall_s}"
  done
}

judge level1/19_ReLU.py relu
judge level1/1_Square_matrix_multiplication_.py product
