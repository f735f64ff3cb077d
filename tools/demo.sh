#!/usr/bin/env bash
# The main job, on this machine: measure the tunable CPU attention kernel (and the CUDA one where there is a GPU and nvcc),
# then the ratchet's whole loop on a copy of it: baseline, an unchanged commit, a planted slowdown, an improvement, a
# search, a kernel that cheats, the history, a session; then fuzzing, a diagnosis and advice.
set -euo pipefail
cd "$(dirname "$0")/.."
out=$PWD/.pawl/demo
rm -rf "$out"
mkdir -p "$out"
export PATH="$PWD/bin:$PATH"

# Bold in a terminal only: in a file escape sequences are noise.
if [ -t 1 ]; then bold=$'\033[1m' plain=$'\033[0m'; else bold='' plain=''; fi
say() { printf '\n%s%s%s\n' "$bold" "$1" "$plain"; }
# Runs a command that must end with the given code: the demo shows true verdicts, or it fails. «Undecided» is a true
# verdict too, on a machine that is too busy to tell.
expect() {
  local wanted=$1 code=0
  shift
  "$@" || code=$?
  if [ $code -eq 2 ]; then
    echo '  (undecided: this machine is too busy right now to tell. Run the demo again when it is quieter.)'
  elif [ $code -ne "$wanted" ]; then
    printf '\n\033[31mdemo: «%s» ended with %s where %s was expected\033[0m\n' "$*" $code "$wanted" >&2
    exit 1
  fi
}

say '1. Is everything here? (pawl doctor)'
pawl doctor || true

kernels=attention-cpu
if nvidia-smi -L >/dev/null 2>&1 && command -v nvcc >/dev/null; then
  kernels=attention-cpu,attention-cuda
  if [ -t 0 ]; then
    read -r -p 'A GPU is here. Measure the CUDA kernel too? [Y/n] ' answer
    case "$answer" in [nN]*) kernels=attention-cpu ;; esac
  fi
fi

say "2. Build, check and measure: pawl bench --only $kernels"
pawl bench --only "$kernels" --processes "${DEMO_PROCESSES:-3}" --wait 600 --out "$out/attention.json"

# A project of its own, so that the demo's commits are not yours.
project=$out/project
mkdir -p "$project/kernels/attention"
cp -r kernels/attention/cpu kernels/attention/oracle.cpp "$project/kernels/attention/"
cp tools/demo-pawl.yaml "$project/pawl.yaml"
cd "$project"
commit() { git add -A && git -c user.name=demo -c user.email=demo@localhost commit -q -m "$1" && printf '  commit: %s\n' "$1"; }
git init -q .
echo .pawl/ > .gitignore
commit 'an attention kernel'
gate() { pawl check --wait 600 --budget 60 "$@"; }

say '3. A first baseline: pawl check --update'
expect 0 gate --update
commit 'perf: ratchet baseline forward [skip ci]'

say '4. A commit that changes nothing passes'
printf '\n// Nothing but a remark.\n' >> kernels/attention/cpu/attention.cpp
commit 'explain the kernel'
expect 0 gate

say '5. A commit that slows the kernel down by half is caught (exit code 1)'
cp kernels/attention/cpu/attention.cpp kept.cpp
sed -i 's/^PAWL_EXPORT int pawl_run(/static int run_once(/' kernels/attention/cpu/attention.cpp
cat >> kernels/attention/cpu/attention.cpp <<'CODE'

// Planted by the demo: half of the batch is computed a second time.
PAWL_EXPORT int pawl_run(const pawl_call *call) {
  pawl_dim dims[8];
  for (int i = 0; i < call->dim_count; i++) dims[i] = call->dims[i];
  dims[0].value /= 2;
  pawl_call half = *call;
  half.dims = dims;
  if (run_once(&half) != 0) return 1;
  return run_once(call);
}
CODE
mv kept.cpp "$out/kept.cpp"
commit 'a «harmless» refactoring'
expect 1 gate --out "$out/regression"

say '6. Mended, and built for this very machine: passes, and where that gains something it is confirmed and ratcheted'
cp "$out/kept.cpp" kernels/attention/cpu/attention.cpp
sed -i 's/flags: \[-O3, /flags: [-O3, -march=native, /' pawl.yaml
commit 'build for this machine'
expect 0 gate --update --out "$out/improvement"
git diff --quiet || commit 'perf: ratchet baseline forward [skip ci]'
pawl ratchet log
pawl ratchet verify

say '7. A short search for something faster still: pawl tune'
# 0: found and confirmed; 2: nothing is shown to be faster, which after ten trials is no wonder.
pawl tune attention-cpu --case small_128 --trials 10 --budget 40 --wait 600 --out "$out/tuning" || [ $? -eq 2 ]

say '8. A commit that is fast because it stops working is called incorrect (exit code 1)'
sed -i 's/^PAWL_EXPORT int pawl_run(/static int honest_run(/' kernels/attention/cpu/attention.cpp
cat >> kernels/attention/cpu/attention.cpp <<'CODE'

// Planted by the demo: honest for a while, then nothing at all.
PAWL_EXPORT int pawl_run(const pawl_call *call) {
  static int calls = 0;
  return calls++ < 100 ? honest_run(call) : 0;
}
CODE
commit 'a miracle'
expect 1 gate --out "$out/miracle"

say '9. All of that is in the history: pawl history, pawl report'
pawl history
pawl report --html "$out/history.html"

say '10. Work by the method: pawl session (gates from measurements, lessons matched before a try)'
git checkout -q HEAD~1 -- kernels && commit 'without the miracle'
pawl session start --goal '1.2x on small_128'
# 1: a gate stops, on most virtual machines for want of a profiler.
pawl session check --wait 600 --quiet || [ $? -eq 1 ]
pawl session end --no-validate > /dev/null

cd "$out/../.."
say '11. Many cases against the oracle: pawl fuzz (ragged, tiny, huge, denormal, NaN …)'
expect 0 pawl fuzz --only attention-cpu --cases 40 --wait 600 --no-save --out "$out/fuzz.html"

say '12. A recorded profile of an H200, explained: pawl diagnose, and what to fix first: pawl advise'
pawl diagnose test/fixtures/ncu/bank_conflict_transpose.raw.csv --out "$out/profile.html"
pawl advise attention-cuda --profile test/fixtures/ncu-attention/attention_spilled.raw.csv

say 'Where to look'
printf '  %s\n' "$out/attention.html                the measurement, for a browser" \
  "$out/regression/report.html        the regression, with pictures" \
  "$out/improvement/report.md         the improvement, as a pull request would show it" \
  "$out/miracle/report.md             the dishonest commit" \
  "$out/tuning/report.html            the search" \
  "$out/history.html                  everything, as the dashboard shows it (pawl serve)" \
  "$out/fuzz.html                     what was fuzzed" \
  "$out/profile.html                  the profile on one page" \
  "$out/project/pawl-baseline.json    the baseline"
