#!/usr/bin/env bash
# On a GPU machine with PyTorch: the session in which the Hopper kernel got its hot loop, recorded with `pawl session` on
# a copy of the project, in hot mode. It starts from the kernel before (docs/results/h200/attention/hot-loop-2.patch and
# -3 undone, with the tunable it had) and makes the tries one after the other. `attention-session.sh FOLDER` writes
# transcript.txt, session.json and session.md.
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
mkdir -p "$1"
out=$(cd "$1" && pwd)
steps=$root/docs/results/h200/attention
copy=$(mktemp -d)
cp -r "$root/kernels" "$root/pawl.yaml" "$copy/"
cd "$copy"
printf '.pawl/\ntuning/\n' > .gitignore
git init -q . && git config user.name session && git config user.email session@example.org
for step in 3 2; do git apply --exclude=pawl.yaml -R "$steps/hot-loop-$step.patch" || exit 1; done
declared='{ values: [0, 1], default: 0 }'
sed -i -e '/^ *CHAINED:/d' -e "s/^\( *\)POLY:.*/&\n\1AHEAD: $declared/" pawl.yaml
sed -i 's/^measure: { mode: cold,/measure: { mode: hot,/' pawl.yaml
git add -A && git commit -qm 'the kernel of entry 10, with a cheaper division'

show() {
  printf '\n$ %s\n' "$(printf '%q ' "$@" | sed 's/ $//')"
  timeout 280 "$@" 2>&1 | grep -v '^  ·'
  printf '(exit code %s, at %s s)\n' "${PIPESTATUS[0]}" "$SECONDS"
}
change() { git apply --exclude=pawl.yaml "$steps/$1.patch"; }
attempt() { show pawl session try -q --wait 60 --processes 5 "$@"; }
{
  show pawl device --calibrate --only cuda -q
  show pawl session start --goal '1.45x on training_512' --kernel attention-hopper --reference sdpa-cudnn
  show pawl session check -q --wait 60
  show pawl profile attention-hopper --case training_512 -q
  show pawl advise attention-hopper

  change hot-loop-2 && sed -i '/^ *AHEAD:/d' pawl.yaml
  attempt --idea branches --finding fixed-latency --predict 9% \
    --anyway 'one change: the loop over keys, and with it what it is made of' \
    --hypothesis 'eleven branches and two waits for barriers stand in the loop, 15 to 50 cycles each; without them, and with weights rounded between exponentials, 469 cycles a block are left where there were 900'
  show pawl session check -q --wait 60
  change hot-loop-3 && sed -i "s/^\( *\)POLY:.*/&\n\1CHAINED: $declared/" pawl.yaml
  attempt --idea tile-ends --finding fixed-latency --predict 5% \
    --anyway 'one change: what happens between two tiles' \
    --hypothesis 'the end of a tile takes 540 instructions: a division for the next one, 64 to zero the output, 100 for addresses, a search for maxima; 340 do'
  show pawl session check -q --wait 60
  change tile-starts
  attempt --revert --idea tile-starts --finding fixed-latency --predict 3% \
    --anyway 'one change: what happens between two tiles' \
    --hypothesis 'a tile still costs 1,800 cycles more than its blocks; storing the last one and looking for the next keys take 750 of them, and can lie under the exponentials of its first block'
  attempt --set CHAINED=1 --idea launch --predict 3% --revert --hypothesis 'the fixed 2.7 us are launch and first loads: they can lie under the end of the kernel before'
  show pawl session check -q --wait 60
  show pawl session end -q --summary 'the loop without branches'
} > "$out/transcript.txt"
id=$(pawl session list --json | node -pe 'JSON.parse(require("fs").readFileSync(0))[0].id')
pawl session export "$id" "$out/session.json"
pawl session show "$id" --markdown > "$out/session.md"
