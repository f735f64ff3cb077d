#!/usr/bin/env bash
# The honest kernels that need a GPU, three times each: test/honest/run-on-gpu.sh [PAWL] [NODE] [OUT]. Needs Pawl (built,
# or unpacked from `pawl bundle`), its Node and nvcc; PyTorch and Triton for those that use them ($NEEDS=cuda leaves
# them out). What each argument means: run-repeatedly.sh.
exec "$(dirname "${BASH_SOURCE[0]}")/run-repeatedly.sh" gpu "$@"
