#!/usr/bin/env bash
# What Pawl is for, on this machine and in a minute of reading: a kernel gets slower and is caught, gets faster and is
# believed, cheats and is refused. `--full` goes on: a search, the history, a session, fuzzing, a profile explained.
# What every command printed lies in .pawl/demo/.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
out=$root/.pawl/demo
rm -rf "$out"
mkdir -p "$out"
export PATH="$root/bin:$PATH"
# A demo runs on machines that have other work; its baseline is thrown away, and the report says what ran beside.
export PAWL_ACCEPT_LOAD=1

# Bold in a terminal only: in a file escape sequences are noise.
if [ -t 1 ]; then bold=$'\033[1m' plain=$'\033[0m'; else bold='' plain=''; fi
say() { printf '\n%s%s%s\n' "$bold" "$1" "$plain"; }
fail() {
  printf 'demo: %s\n' "$1" >&2
  exit 1
}

# A project of its own, so that the demo's commits are not yours.
project=$out/project
kernel=kernels/attention/cpu/attention.cpp
mkdir -p "$project/kernels/attention"
cp -r kernels/attention/cpu kernels/attention/oracle.cpp "$project/kernels/attention/"
cp tools/demo-pawl.yaml "$project/pawl.yaml"
cd "$project"
git init -q .
echo .pawl/ > .gitignore
commit() { git add -A && git -c user.name=demo -c user.email=demo@localhost commit -q -m "$1"; }
commit 'an attention kernel'

# gate NAME CODE OPTIONS: `pawl check`, shown in short. It must end with that code: the demo shows true verdicts, or it
# fails. "Undecided" is a true verdict too, on a machine that is too busy to tell.
gate() {
  local name=$1 wanted=$2 code=0
  shift 2
  printf '   $ pawl check%s\n' "${*:+ $*}"
  pawl check --wait 600 --budget 60 --out "$out/$name" "$@" > "$out/$name.txt" 2> "$out/$name-progress.txt" || code=$?
  # The verdict, the table, and the sentence on each case.
  awk 'NR == 1 || /^  case / || /^[^ ]+ small_128/ { print "   " $0; told = /^[^ ]+ small_128:/; next }
       told && /^  / { print "   " $0; next } { told = 0 }' "$out/$name.txt"
  if [ $code -eq 2 ]; then
    echo '   (undecided: this machine is too busy right now to tell. Run the demo again when it is quieter.)'
  elif [ $code -ne "$wanted" ]; then
    cat "$out/$name.txt" "$out/$name-progress.txt" >&2
    fail ""pawl check $*" ended with $code where $wanted was expected"
  fi
}

say '1. An attention kernel on the CPU: built, checked against its oracle, measured. The first baseline'
gate baseline 0 --update
commit 'perf: ratchet baseline forward [skip ci]'

say '2. A "harmless" refactoring that computes everything twice: caught, and confirmed before it fails'
cp $kernel "$out/kept.cpp"
sed -i 's/^PAWL_EXPORT int pawl_run(/static int run_once(/' $kernel
cat >> $kernel <<'CODE'

// Planted by the demo.
PAWL_EXPORT int pawl_run(const pawl_call *call) { return run_once(call) != 0 ? 1 : run_once(call); }
CODE
commit 'a "harmless" refactoring'
gate regression 1

say '3. Mended, and built with -O3 instead of -O1: faster, confirmed, and the baseline moves forward'
cp "$out/kept.cpp" $kernel
sed -i 's/flags: \[-O1, /flags: [-O3, /' pawl.yaml
commit 'build with -O3'
gate improvement 0 --update
git diff --quiet || commit 'perf: ratchet baseline forward [skip ci]'

say '4. A miracle: after thirty calls the kernel does nothing at all. Refused, whatever its time'
sed -i 's/^PAWL_EXPORT int pawl_run(/static int honest_run(/' $kernel
cat >> $kernel <<'CODE'

// Planted by the demo.
PAWL_EXPORT int pawl_run(const pawl_call *call) {
  static int calls = 0;
  return calls++ < 30 ? honest_run(call) : 0;
}
CODE
commit 'a miracle'
gate miracle 1
git checkout -q HEAD~1 -- kernels && commit 'without the miracle'

pawl report --html "$out/history.html" > "$out/history.txt" 2>&1
show=("regression/report.html    the regression, with pictures" "improvement/report.md     the gain, as a pull request shows it"
  "miracle/report.md         the refused commit" "history.html              all of it, as the dashboard shows it (pawl serve)")

if [ "${1:-}" = --full ]; then
  say '5. Is everything here? pawl doctor'
  (cd "$root" && pawl doctor) || true

  say '6. A short search for something faster still: pawl tune'
  # 0: found and confirmed; 2: nothing is shown to be faster, which after ten trials is no wonder.
  pawl tune attention-cpu --case small_128 --trials 10 --budget 40 --wait 600 --out "$out/tuning" || [ $? -eq 2 ]

  say '7. Who moved the baseline, and is it whole? pawl ratchet; what was run: pawl history'
  pawl ratchet log
  pawl ratchet verify
  pawl history

  say '8. Work by the method: pawl session (gates from measurements, lessons matched before a try)'
  pawl session start --goal '1.2x on small_128'
  # 1: a gate stops, on most virtual machines for want of a profiler.
  pawl session check --wait 600 --quiet || [ $? -eq 1 ]
  pawl session end --no-validate > "$out/session.txt"

  cd "$root"
  say '9. Many cases against the oracle: pawl fuzz (ragged, tiny, huge, denormal, NaN …)'
  pawl fuzz --only attention-cpu --cases 40 --wait 600 --no-save --out "$out/fuzz.html"

  say '10. A recorded profile of an H200, explained: pawl diagnose, and what to fix first: pawl advise'
  pawl diagnose test/fixtures/ncu/bank_conflict_transpose.raw.csv --out "$out/profile.html"
  pawl advise attention-cuda --profile test/fixtures/ncu-attention/attention_spilled.raw.csv

  if nvidia-smi -L > "$out/gpu.txt" 2>&1 && command -v nvcc > /dev/null; then
    say '11. The CUDA kernel: pawl bench attention-cuda'
    pawl bench --only attention-cuda --processes 3 --wait 600 --out "$out/attention.json"
    show+=("attention.html            the CUDA kernel")
  fi
  show+=("tuning/report.html        the search" "fuzz.html                 what was fuzzed"
    "profile.html              the profile on one page")
fi

say "Where to look, in $out"
printf '   %s\n' "${show[@]}"
[ "${1:-}" = --full ] || printf '\nMore (search, history, sessions, fuzzing, profiles): make demo-full\n'
