#!/usr/bin/env bash
# On a GPU machine with PyTorch: sessions in which the Hopper kernel got faster, recorded with `pawl session` on a copy of
# the project. Each starts from the kernel as it was (docs/results/h200/attention/before-*.tar.xz) and makes the tries one
# after the other, wrong turns included. `attention-session.sh FOLDER loop|mask` writes transcript.txt, session.json and
# session.md.
#   loop   S = 512, D = 64, hot: the loop over keys without branches, the ends of tiles
#   mask   S = 1024, D = 128, causal, cold: sections of heads, tiles given out
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
mkdir -p "$1"
out=$(cd "$1" && pwd)
which=$2
steps=$root/docs/results/h200/attention
copy=$(mktemp -d)
tar xJf "$steps/before-$which.tar.xz" -C "$copy" || exit 64
printf '.pawl/\ntuning/\n' > "$copy/.gitignore"
git init -q "$copy" && git -C "$copy" config user.name session && git -C "$copy" config user.email session@example.org
git -C "$copy" add -A && git -C "$copy" commit -qm 'the kernel before'

show() {
  printf '\n$ %s\n' "$(printf '%q ' "$@" | sed 's/ $//')"
  timeout 280 "$@" 2>&1 | grep -v '^  ·'
  printf '(exit code %s, at %s s)\n' "${PIPESTATUS[0]}" "$SECONDS"
}
change() { git -C "$copy" apply --exclude=pawl.yaml "$steps/$1.patch"; }
attempt() { show pawl session try -q --wait 60 --processes 5 "$@"; }
begin() { # GOAL KERNEL CASE
  show pawl device --calibrate --only cuda -q
  show pawl session start --goal "$1 on $3" --kernel "$2" --reference sdpa-cudnn
  show pawl session check -q --wait 60
  show pawl profile "$2" --case "$3" -q
  show pawl advise "$2"
}

loop() {
  local declared='{ values: [0, 1], default: 0 }'
  begin 1.45x attention-hopper training_512
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
}

mask() {
  begin 1.25x hopper-128 d128_s1024_causal
  change mask-1
  attempt --idea sections --predict 16% \
    --hypothesis 'tiles that run together are of 132 heads, whose K and V do not fit the L2: each tile reads them from memory. Of 64 heads they fit'
  show pawl session check -q --wait 60
  change mask-2
  attempt --idea given-out --predict 12% --revert \
    --anyway 'one change: who decides which tile comes next' \
    --hypothesis 'with 64 heads a section a thread block gets tiles of even lengths or of odd ones: the slowest has 1.13 times the mean. Tiles given to whoever comes first level that'
  change mask-2 2> /dev/null # taken back with the try that was refused
  change mask-3
  attempt --idea given-out --predict 12% \
    --anyway 'one change, with what makes its results the same in every run' \
    --hypothesis 'the same without the guess from the tile before, which is another one in every run'
  show pawl session check -q --wait 60
  show pawl session end -q --summary 'tiles given out, a section of heads at a time'
}

cd "$copy"
if [ "$which" = mask ]; then cd bench/attention; fi
$which > "$out/transcript.txt"
id=$(pawl session list --json | node -pe 'JSON.parse(require("fs").readFileSync(0))[0].id')
pawl session export "$id" "$out/session.json"
pawl session show "$id" --markdown > "$out/session.md"
