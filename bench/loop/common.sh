# What every loop of bench/loop does, in order. A kernel's own folder has its sources, its `pawl adopt` and its tries.
show() {
  printf '\n$ %s\n' "$(printf '%q ' "$@" | sed 's/ $//')"
  local before=$SECONDS
  timeout "${LIMIT:-120}" "$@" 2>&1 | grep -v '^  ·'
  printf '(exit code %s, %s s)\n' "${PIPESTATUS[0]}" "$((SECONDS - before))"
}
attempt() { show pawl session try -q --wait 60 --processes "${PROCESSES:-5}" "$@"; }
# replace FUNCTION CALL [FILE]: the wrapper that `pawl adopt` wrote calls something else, of a file written here.
replace() {
  local wrapper
  wrapper=$(ls pawl_*.cu)
  if [ -n "${3:-}" ]; then
    cp "$here"/*.cuh .
    grep -q "$3" "$wrapper" || sed -i "s|^PAWL_EXPORT int pawl_run|#include \"$3\"\n\n&|" "$wrapper"
  fi
  FUNCTION=$1 CALL=$2 perl -0pi -e 's/^  \Q$ENV{FUNCTION}\E(<[^>]*>)?\([^;]*;/  $ENV{CALL}/m' "$wrapper"
}
# Beside the library, where there is one.
race() { if [ "$(grep -c "^    problem:" pawl.yaml)" -gt 1 ]; then show pawl race --case "$case" --budget "${RACE_TIME:-22}" -q -o "$1"; fi; }
commit() { git add -A && git commit -qm "$1"; }

# Without the device's ceilings a session stops before its first try.
ceilings() { LIMIT=60 show pawl device --calibrate --only cuda --wait 60 -q; }

session() {
  show pawl session start --goal "$goal on $case" --kernel "$kernel"
  LIMIT=${CHECK_LIMIT:-130} show pawl session check -q --wait 60 --processes 3
  show pawl advise "$kernel"
  "$1"
  LIMIT=100 show pawl session end -q --processes 8
}

whole_loop() {
  sources
  adopt
  for file in "$here"/{pawl.yaml,oracle.cu,oracle.py,library.py}; do [ -e "$file" ] && cp "$file" .; done
  # Where cuBLAS is not beside nvcc, as with PyTorch's own libraries.
  if [ -n "${CUBLAS:-}" ]; then
    sed -i "s|flags: \[|flags: [-I$CUBLAS/include, |; s|links: \[|links: [-L$CUBLAS/lib, '-Wl,-rpath,$CUBLAS/lib', |" pawl.yaml
  fi
  printf '.pawl/\ntuning/\n' > .gitignore
  git init -q . && git config user.name loop && git config user.email loop@example.org
  commit 'as it is published'
  if declare -F build_first > /dev/null; then build_first; fi
  ceilings
  LIMIT=40 show pawl fuzz --only "$kernel" --cases 40 --time "${FUZZ_TIME:-12}" -q
  if [ "${TUNE:-yes}" = yes ] && grep -A12 "^  $kernel:" pawl.yaml | grep -q tunables; then
    LIMIT=90 show pawl tune "$kernel" --case "$case" --apply --no-profile --confirm 1 --budget "${TUNE_TIME:-45}" -q
    git diff --quiet || commit 'the fastest of the published variants'
  fi
  if [ "${BEFORE:-yes}" = yes ]; then race before; fi
  if [ "${FIRST:-yes}" = yes ]; then session tries; fi
  # What the first session taught, in a second one.
  if declare -F tries_again > /dev/null; then session tries_again; fi
  race after
  LIMIT=40 show pawl fuzz --only "$kernel" --cases 40 --time "${FUZZ_TIME:-12}" -q
}
