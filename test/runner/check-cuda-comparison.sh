#!/usr/bin/env bash
# On a machine with a GPU and nvcc: whether the GPU compares, writes and describes elements as the CPU does.
#   test/runner/check-cuda-comparison.sh [ARCH]      ARCH: as nvcc names it (default: sm_90)
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
arch=${1:-sm_90}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$here/../../runner/src"
nvcc -std=c++17 -O2 -x cu -gencode "arch=${arch/sm_/compute_},code=$arch" -I../include -I. -cudart static -t 8 \
  "$here/check-cuda-comparison.cpp" cuda/cuda_{comparison,memory,view}.cu cuda/cuda_{device,error,info}.cpp \
  cuda/{nvml,process_watch,scratch_memory,shared_memory}.cpp cpu/{cache_evictor,cpu_device,cpu_info,pin,shared_memory}.cpp \
  json.cpp watch/proc.cpp -o "$work/check" -lpthread -ldl
"$work/check"
