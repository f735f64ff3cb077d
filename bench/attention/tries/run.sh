#!/usr/bin/env bash
# run.sh PACK WHAT...: on the GPU machine, in the folder of prepare.sh. PACK: the folder with pack.sh's up.sh, or - where pawl is on the PATH already.
# WHAT: screen (harness: all variants, floors; about 65 s with the build, ROUNDS=2 100 s), apart (graphs 1,024 apart; 15 s), heard (D = 128 under a mask,
# pawl race; 60 s), clean (racecheck, memcheck; 40 s), judge (pawl race of the variants named in SHORT, LONG, DEEP, DEEPLONG
# beside cuDNN, verified; 4 × 30 s), right (fuzz of the same; 25 s).
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
pack=$1; shift
: "${OUT:=/tmp/hattn-out}"
mkdir -p "$OUT/h"
if [ "$pack" != - ]; then . "$(realpath "$pack")/up.sh"; fi
root=$PWD # /tmp/pawl, or a checkout
work=/tmp/hattn; mkdir -p "$work" "$root/bench/hattn"
cp -r "$here/hopper" "$here/pawl.yaml" "$root/bench/hattn/"
began=$(date +%s)
save() { tar cf "$OUT/hattn.part" -C "$OUT" h && mv "$OUT/hattn.part" "$OUT/hattn.tar"; }
F="-std=c++20 -O3 -I$root/runner/include -gencode arch=compute_90a,code=sm_90a -DORDERED=1 -DRESIDENT=0 -DBOLD=1 -DPOLY=0 -DSELF=0"
build() { # NAME DEPTH FLAGS...
  local name=$1 depth=$2; shift 2
  case " $* " in *CHAINED*) ;; *) set -- "$@" -DCHAINED=0 ;; esac
  [ -x "$work/$name" ] || timeout 90 nvcc $F -DDEPTH=$depth "$@" -I"$here/hopper" -DKERNEL='"attention.cu"' "$here/attention-harness.cu" -ldl -o "$work/$name" > "$work/$name.log" 2>&1 || echo "BUILD FAILED $name"
}
time_it() { # NAME REPS S D C COLD
  local line; line=$(timeout 10 "$work/$1" "$2" 32 8 "$3" "$4" "$5" "$6" 2>&1 | tail -1)
  printf 'S=%-4s D=%-3s causal=%s cold=%s %-8s %s\n' "$3" "$4" "$5" "$6" "$1" "$line" | tee -a "$OUT/h/screen.txt"
}
race() { # NAME SECONDS CASES KERNELS...
  local name=$1 seconds=$2 cases=$3; shift 3
  timeout $((seconds + 45)) pawl race -q -C bench/hattn --wait 30 --no-history --no-control --reference "$1" --case "$cases" \
    --mode cold --processes 4 --samples 60 --budget "$seconds" --out "$OUT/h/$name" "$@" > "$OUT/h/$name.txt" 2>&1
  echo "== $name rc $?"; grep -v '^ *·' "$OUT/h/$name.txt" | cut -c1-170 | head -45; save
}
for what in "$@"; do
  at=$(date +%s); echo "=== $what"
  case $what in
    screen)
      while read -r name depth flags; do build $name $depth $flags & done < "$here/variants.txt"
      [ -x "$work/floor" ] || nvcc $F -I"$here" -DKERNEL='"floor.cu"' "$here/attention-harness.cu" -ldl -o "$work/floor" > "$work/floor.log" 2>&1 &
      wait; echo "built in $(($(date +%s) - at)) s"
      for round in $(seq ${ROUNDS:-1}); do
        for c in 0 1; do
          for n in s0 s0h s0c o32 o32h o32c o64 o128; do time_it $n 150 128 64 $c 1; done
          for n in l0 l0h l8h q64 q64h q32; do time_it $n 150 256 64 $c 1; done
          for n in d0 d0h dm64 p32 p32h p128 p128h r32 r32h; do time_it $n 150 128 128 $c 1; done
          for n in d0 d0h dm64 r32 r32h; do time_it $n 150 256 128 $c 1; done
        done
      done
      for f in 0 1 2; do export FLOOR=$f; echo "floor $f" | tee -a "$OUT/h/screen.txt"
        for s in "128 64" "256 64" "256 128"; do time_it floor 150 ${s% *} ${s#* } 0 1; done; done
      for n in s0 s0c o32 o32c; do time_it $n 40 128 64 0 0; done
      save ;;
    apart)
      A="-DDEPTH=64 -DBLOCK_M=256 -DBLOCK_N=64 -DSTAGES=8 -DBLOCKS_PER_SM=1 -DCHAINED=0"
      for v in before hopper; do nvcc $F $A -I"$here/$v" "$here/apart.cu" -o "$work/apart-$v" > "$work/apart-$v.log" 2>&1 & done; wait
      for v in before hopper; do echo "$v: $(timeout 25 "$work/apart-$v" 2>&1 | tail -1)" | tee -a "$OUT/h/apart.txt"; done; save ;;
    heard) race heard ${T:-45} d128_s512_causal,d128_s2048_causal d0 heard1 heard2 ;;
    clean)
      for n in ${CLEAN:-heard1 heard2 o32 p128}; do
        for tool in racecheck memcheck; do
          timeout 40 pawl fuzz -q -C bench/hattn --wait 30 --no-save --no-audit --only $n --sanitize $tool --case tile_and_one,many_tiles > "$OUT/h/clean-$n-$tool.txt" 2>&1
          echo "== $n $tool rc $?: $(grep -v '^ *·' "$OUT/h/clean-$n-$tool.txt" | tail -2 | tr '\n' ' ' | cut -c1-200)"
        done; done; save ;;
    judge)
      race short ${T:-22} d64_s128,d64_s128_causal sdpa-cudnn s0 ${SHORT:-o32}
      race long ${T:-22} d64_s256,d64_s256_causal sdpa-cudnn l0 ${LONG:-l0h}
      race deep ${T:-22} d128_s128,d128_s128_causal sdpa-cudnn d0 ${DEEP:-p128}
      race deeplong ${T:-22} d128_s256,d128_s256_causal sdpa-cudnn d0 ${DEEPLONG:-r32} ;;
    right)
      for n in ${SHORT:-o32} ${LONG:-l0h} ${DEEP:-p128} ${DEEPLONG:-r32}; do
        timeout 30 pawl fuzz -q -C bench/hattn --wait 30 --no-save --no-audit --only $n --cases 60 > "$OUT/h/right-$n.txt" 2>&1
        echo "== $n rc $?: $(grep -v '^ *·' "$OUT/h/right-$n.txt" | tail -2 | tr '\n' ' ' | cut -c1-200)"
      done; save ;;
  esac
  echo "=== $what: $(($(date +%s) - at)) s"
done
save
if [ -e "$OUT/h/screen.txt" ]; then
  echo "== medians, best of rounds, µs"
  grep -E ' us ' "$OUT/h/screen.txt" | awk '/^S=/{key=$1" "$2" "$3" "$4; for(i=1;i<=NF;i++) if($i=="us") {us=$(i-1)} name=$5; k=key" "name; if(!(k in best)||us<best[k]) best[k]=us; if(!(k in seen)){seen[k]=1; order[++n]=k}} END{last=""; for(i=1;i<=n;i++){split(order[i],p," "); g=p[1]" "p[2]" "p[3]" "p[4]; if(g!=last){printf "\n%s ",g; last=g} printf " %s %s",p[5],best[order[i]]} print ""}'
fi
echo "all: $(($(date +%s) - began)) s"
