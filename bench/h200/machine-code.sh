#!/usr/bin/env bash
# On a machine with CUDA's cuobjdump (no GPU is needed): what each tunable of the attention kernels changes in the machine
# code. Compiles the default variant and one other value of each tunable for sm_90a, disassembles both kernels (causal and
# not), and prints how many instructions of a kind there are: machine-code.sh > docs/results/h200/attention/machine-code.md
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
work=$(mktemp -d)
kinds=(HGMMA HMMA LDSM LDGSTS UTMALDG LDG STG STS STSM MUFU BAR)

table() {
  local source=$1 defaults=$2 name value change
  shift 2
  echo "| variant | instructions | $(printf '%s | ' "${kinds[@]}")code |"
  echo "|---|--:|$(printf -- '--:|%.0s' "${kinds[@]}")---|"
  for change in default "$@"; do
    local flags=$defaults
    [ "$change" = default ] || for name in $change; do
      value=${name#*=} name=${name%=*}
      flags=$(sed "s/-D$name=[0-9]*/-D$name=$value/" <<< "$flags")
    done
    # shellcheck disable=SC2086
    nvcc -std=c++17 -O3 -Irunner/include -gencode=arch=compute_90a,code=sm_90a -cubin $flags "$source" -o "$work/variant.cubin"
    cuobjdump -sass "$work/variant.cubin" | grep -oP '^\s+/\*[0-9a-f]{4,}\*/\s+\K[^;]+' > "$work/code"
    printf '| %s | %s |' "$change" "$(wc -l < "$work/code")"
    for name in "${kinds[@]}"; do printf ' %s |' "$(grep -cE "^(@!?U?P[0-9T]+ +)?$name\b" "$work/code" || true)"; done
    printf ' `%s` |\n' "$(md5sum < "$work/code" | cut -c1-8)"
  done
}

echo '# What each tunable changes in the machine code'
echo
echo "$(nvcc --version | grep -oE 'Build .*'), sm_90a, commit $(git log -1 --format=%h -- kernels/attention), both kernels (causal and not) of a variant together. *Code* is a digest of all instructions: no two may be the same. Made by \`bench/h200/machine-code.sh\`."
echo
echo '## `attention-cuda`'
echo
table kernels/attention/cuda/attention.cu \
  '-DBLOCK_M=128 -DBLOCK_N=64 -DBLOCK_K=16 -DNUM_WARPS=4 -DSTAGES=2 -DUNROLL=1 -DCP_ASYNC=1 -DSWIZZLE=1 -DHALF2=0' \
  BLOCK_M=64 BLOCK_N=32 BLOCK_K=64 NUM_WARPS=8 STAGES=3 UNROLL=2 CP_ASYNC=0 SWIZZLE=0 HALF2=1
echo
echo '## `attention-hopper`'
echo
table kernels/attention/hopper/attention.cu \
  '-DBLOCK_M=256 -DBLOCK_N=64 -DSTAGES=4 -DBLOCKS_PER_SM=1 -DORDERED=1 -DRESIDENT=0 -DBOLD=1 -DPOLY=0 -DCHAINED=0 -DSELF=0' \
  BLOCK_M=192 'BLOCK_M=192 BLOCK_N=96' STAGES=6 'BLOCK_M=64 BLOCK_N=48 BLOCKS_PER_SM=2' ORDERED=0 RESIDENT=1 BOLD=0 POLY=8 CHAINED=1 SELF=1
