#!/usr/bin/env bash
# The session that the method was learnt from (0.12× of the library, tile size changed by guess, 0.09×, three hours),
# replayed with the CPU attention kernel: it must stop at the gate, and the second session must be warned of the first.
# bench/session-replay.sh FOLDER writes the project and what Pawl said (FOLDER/transcript.txt). Ten minutes, or less.
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
mkdir -p "$1/project/kernels/attention"
out=$(cd "$1" && pwd)
export PATH="$root/bin:$PATH"
cd "$out/project"
cp -r "$root/kernels/attention/cpu" "$root/kernels/attention/oracle.cpp" kernels/attention/
cat > pawl.yaml <<'YAML'
version: 1
problems:
  attention:
    dims: [B, H, S, D, CAUSAL]
    tensors:
      q: { role: input, dtype: f32, shape: [B, H, S, D], fill: normal }
      k: { role: input, dtype: f32, shape: [B, H, S, D], fill: normal }
      v: { role: input, dtype: f32, shape: [B, H, S, D], fill: normal }
      o: { role: output, dtype: f32, shape: [B, H, S, D] }
    operations: 4*B*H*S*S*D
    oracle: { source: kernels/attention/oracle.cpp }
    cases:
      small_128: { B: 1, H: 2, S: 128, D: 64, CAUSAL: 0 }
      medium_256: { B: 1, H: 2, S: 256, D: 64, CAUSAL: 0 }
kernels:
  library:
    problem: attention
    device: cpu
    language: c++
    sources: [kernels/attention/cpu/attention.cpp]
    links: [-fopenmp]
    flags: [-O3, -march=native, -fopenmp, -Wno-psabi, -DBLOCK_M=32, -DBLOCK_N=64, -DUNROLL=4, -DVECTOR=8, -DTHREADS=1, -DEXP=poly]
  ours:
    problem: attention
    device: cpu
    language: c++
    sources: [kernels/attention/cpu/attention.cpp]
    links: [-fopenmp]
    flags: [-O0, -march=native, -fopenmp, -Wno-psabi, -DTHREADS=1, -DEXP=poly]
    tunables:
      BLOCK_M: { values: [8, 16, 32, 64], default: 32 }
      BLOCK_N: { values: [8, 16, 32, 64], default: 64 }
      UNROLL: { values: [1, 4], default: 4 }
      VECTOR: { values: [1, 4, 8], default: 8 }
YAML
echo .pawl/ > .gitignore
git init -q . && git config user.name replay && git config user.email replay@example.org
git add -A && git commit -qm 'a kernel that was written by guessing'

show() {
  printf '\n$ %s\n' "$(printf '%q ' "$@" | sed 's/ $//')"
  "$@" 2>&1 | grep -v '^  ·'
  printf '(exit code %s)\n' "${PIPESTATUS[0]}"
}
# The gate that stopped it: below 0.5× one, below 0.1× another.
stopped_at() {
  pawl session status --json | node -pe 'JSON.parse(require("fs").readFileSync(0)).gates.find((one) => one.state === "failed").gate'
}
tile() { sed -i "s/^      BLOCK_M: .*/      BLOCK_M: { values: [8, 16, 32, 64], default: $1 }/" pawl.yaml; }
{
  echo '# The first session'
  show pawl session start --goal '1.2x on medium_256' --kernel ours --reference library
  show pawl session check -q --wait 600
  echo; echo '# Guessing on in spite of the gate'
  show pawl session override "$(stopped_at)" --reason 'the tile is surely too large'
  tile 8
  show pawl session try --hypothesis 'smaller tiles fit the cache' --idea tile -q --wait 600
  show pawl session try --hypothesis 'smaller tiles fit the cache' --idea tile --anyway 'no profiler here' -q --wait 600
  show pawl session revert
  git checkout -q pawl.yaml
  show pawl session end -q --summary 'guessed the tile, and lost'
  echo; echo '# The second session, by somebody else'
  show pawl session start --goal '1.2x on medium_256' --kernel ours --reference library
  show pawl session check -q --wait 600
  show pawl session override "$(stopped_at)" --reason 'it says what to look at: a debug build'
  tile 16
  show pawl session try --look --hypothesis 'smaller tiles fit the cache' --idea tile
  tile 32
  sed -i 's/-O0/-O3/' pawl.yaml
  show pawl session try --hypothesis 'it was a debug build' --idea flags --predict 90% --anyway 'no profiler here' -q --wait 600
  show pawl session check -q --wait 600
  show pawl session end -q
  show cat lessons.yaml
} > "$out/transcript.txt"
