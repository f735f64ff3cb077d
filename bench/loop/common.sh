# What every loop of bench/loop does, in order. A kernel's own folder has its sources, its `pawl adopt` and its tries.
# Until UNTIL, a time in seconds since 1970, where the device is only lent.
left() { if [ -n "${UNTIL:-}" ]; then echo $((UNTIL - $(date +%s))); else echo 9999; fi; }
show() {
  printf '\n$ %s\n' "$(printf '%q ' "$@" | sed 's/ $//')"
  local before=$SECONDS limit=${LIMIT:-120} most
  most=$(left)
  if [ "$most" -lt 5 ]; then
    echo '(left out: the time was up)'
    return
  fi
  timeout -k 5 "$((limit < most ? limit : most))" "$@" 2>&1 | grep -v '^  ·'
  printf '(exit code %s, %s s)\n' "${PIPESTATUS[0]}" "$((SECONDS - before))"
}
attempt() { show pawl session try -q --wait 60 --processes "${PROCESSES:-5}" "$@"; }
# replace FUNCTION CALL [FILE]: the wrapper that `pawl adopt` wrote calls something else, of a file written here.
replace() {
  local wrapper
  wrapper=$(ls pawl_*.cu)
  if [ -n "${3:-}" ]; then
    cp "$here/$3" .
    grep -q "$3" "$wrapper" || sed -i "s|^PAWL_EXPORT int pawl_run|#include \"$3\"\n\n&|" "$wrapper"
  fi
  FUNCTION=$1 CALL=$2 perl -0pi -e 's/^  \Q$ENV{FUNCTION}\E ?(<[^>]*>)?\([^;]*;/  $ENV{CALL}/m' "$wrapper"
}
# Beside the library, where there is one.
race() { if [ "$(grep -c "^    problem:" pawl.yaml)" -gt 1 ]; then show pawl race --case "$case" --budget "${RACE_TIME:-22}" -q -o "$1"; fi; }
fuzz() { LIMIT=40 show pawl fuzz --only "$kernel" --cases 40 --time "${FUZZ_TIME:-12}" -q; }
commit() { git add -A && git commit -qm "$1"; }

# What bench/loop/sweep found to start from. settings FILE NAME=VALUE,…: these in a line of the same names.
if [ -n "${CHOSEN:-}" ]; then . "$CHOSEN"; fi
settings() {
  [ -z "${2:-}" ] || python3 -c '
import re, sys
path, given = sys.argv[1:]
pairs = [one.split("=") for one in given.split(",")]
names = ", ".join(name for name, _ in pairs)
values = ", ".join(value if value.isdigit() else repr(value) for _, value in pairs)
with open(path) as file:
    text, found = re.subn(f"^{names} = .*$", f"{names} = {values}", file.read(), flags=re.M)
assert found == 1, names
with open(path, "w") as file:
    file.write(text)' "$1" "$2"
}

# Without the device's ceilings a session stops before its first try. They are kept for the machine.
ceilings() {
  if pawl device --json | node -e 'process.exit(JSON.parse(require("fs").readFileSync(0)).devices.some((one) => one.device.kind === "cuda" && one.calibrations.length > 0) ? 0 : 1)'; then
    return
  fi
  LIMIT=60 show pawl device --calibrate --only cuda --wait 60 -q
}

session() {
  show pawl session start --goal "$goal on $case" --kernel "$kernel"
  # shellcheck disable=SC2086 # GATES are words; none of them: all gates.
  LIMIT=${CHECK_LIMIT:-130} show pawl session check -q --wait 60 --processes "${CHECK_PROCESSES:-3}" ${GATES:-}
  show pawl advise "$kernel"
  "$1"
  # Without the time for a validation the session ends as it is, and says so.
  if [ "$(left)" -lt "${END_TIME:-30}" ]; then
    UNTIL= show pawl session end -q --no-validate
  else
    LIMIT=100 show pawl session end -q --processes "${END_PROCESSES:-8}"
  fi
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
  if [ "${BEFORE:-yes}" = yes ]; then fuzz; fi
  if [ "${TUNE:-yes}" = yes ] && grep -A12 "^  $kernel:" pawl.yaml | grep -q tunables; then
    LIMIT=90 show pawl tune "$kernel" --case "$case" --apply --no-profile --confirm 1 --budget "${TUNE_TIME:-45}" -q
    git diff --quiet || commit 'the fastest of the published variants'
  fi
  if [ "${BEFORE:-yes}" = yes ]; then race before; fi
  if [ "${FIRST:-yes}" = yes ]; then session tries; fi
  # What the first session taught, in a second one.
  if declare -F tries_again > /dev/null; then session tries_again; fi
  if [ "${AFTER:-yes}" = yes ]; then race after; fi
  fuzz
}
