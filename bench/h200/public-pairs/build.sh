#!/usr/bin/env bash
# Builds versions.cu for every family: build.sh FOLDER OUT, where FOLDER has the published sources as they are,
#   FOLDER/llm/dev/cuda    karpathy/llm.c      at f1e2ace
#   FOLDER/sgemm           siboehm/SGEMM_CUDA  at 60cba6f
# A GPU is not needed. OUT gets a program and its machine code (for lines) per family, and no published line.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
sources=$1
mkdir -p "$2"
out=$(cd "$2" && pwd)
# As their authors build them, with lines.
flags=(-O3 -lineinfo -gencode "arch=compute_90,code=sm_90" -I "$here" -w)

build() {
  local family=$1 published=$2
  shift 2
  local args=("${flags[@]}" "$@" "-DFAMILY_$family" "-DFAMILY=\"$family\"" "-DPUBLISHED=\"$published\"")
  [ -s "$out/$family" ] && [ -s "$out/$family.cubin" ] && return
  nvcc "${args[@]}" "$here/versions.cu" -o "$out/$family" && nvcc "${args[@]}" -cubin "$here/versions.cu" -o "$out/$family.cubin" ||
    echo "does not compile: $family"
}

for family in layernorm_forward softmax_forward adamw gelu_forward gelu_backward residual_forward \
  fused_residual_forward encoder_forward classifier_fused global_norm trimat_forward; do
  build "$family" "$family.cu" --use_fast_math -I "$sources/llm/dev/cuda"
done
build sgemm runner.cu -std=c++20 -I "$sources/sgemm/src"
