#!/usr/bin/env bash
# On a GPU machine: every planted kernel of this folder, faulty and mended, under ncu, and everything that hot lines are
# read from: raw and source pages, disassembly with lines, a few whole reports. Needs nvcc, ncu and, for Triton, a
# python3 with torch; no Pawl. Packs it all into $OUT/lines.tar.xz (or $1). One failure does not stop the rest.
#   OUT=/tmp/out bash bench/h200/lines/collect.sh [pack] [seconds] [faulty=NAME…] [mended=NAME…]
# With names, only those; `triton` stands for all kernels of Triton. Sections are those that lines are read from, which
# takes half the time of the full set.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
pack=${1:-${OUT:-.}/lines.tar.xz}
case $pack in /*) ;; *) pack=$PWD/$pack ;; esac
mkdir -p "$(dirname "$pack")"
limit_s=${2:-450}
only=" ${*:3} "
wanted() { [ -z "${only// /}" ] || [[ $only == *" $1=$2 "* ]]; }
cores=$(nproc)
work=/tmp/planted
rm -rf "$work"
mkdir -p "$work/csv" "$work/code" "$work/reports" "$work/about"
log=$work/collect.log
SECONDS=0
say() { printf '%4d s  %s\n' "$SECONDS" "$*" | tee -a "$log"; }
late() { [ "$SECONDS" -ge "$1" ]; }
export LC_ALL=C TRITON_CACHE_DIR=$work/triton-cache work here

say "start: $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>&1 | head -1), $cores cores"
{ ncu --version; nvcc --version; python3 -c 'import torch, triton; print("torch", torch.__version__, "triton", triton.__version__)'; } > "$work/about/versions.txt" 2>&1
ncu --help > "$work/about/ncu-help.txt" 2>&1
ncu --list-sections > "$work/about/ncu-sections.txt" 2>&1
# How ncu's reports are laid out, to read; not ours to keep.
program=$(readlink -f "$(command -v ncu)")
for top in "$(dirname "$program")" "$(dirname "$(dirname "$program")")" /opt/nvidia/nsight-compute/*; do
  find "$top" -maxdepth 4 \( -name '*.proto' -o -name 'SourceCounters.section' -o -name 'ncu_report.py' \) 2>/dev/null
done | sort -u | head -60 | tar -cf "$work/about/layout.tar" -T - 2>/dev/null

python3 "$here/split.py" "$work" "$here"/cuda/* "$here"/tile/* "$here"/triton/planted.py >> "$log" 2>&1 || say 'split.py failed'
say "split: $(wc -l < "$work/faults.tsv") faults"

# 1. Everything is compiled at once.
build() {
  local source=$1 stem=${1%.cu}
  timeout 90 nvcc -O3 -std=c++17 -arch=sm_90a -lineinfo -Xptxas -v -I "$here" -o "$stem.exe" "$source" > "$stem.build.txt" 2>&1 \
    || echo "does not compile: $source" >> "$work/collect.log"
}
export -f build
find "$work/faulty" "$work/mended" -name '*.cu' -print0 | xargs -0 -P "$cores" -I{} bash -c 'build {}'
say "built: $(find "$work" -name '*.exe' | wc -l) programs"

# 2. Triton compiles once without ncu, in the background of the next step's start.
if python3 -c 'import triton' 2> /dev/null; then
  for version in faulty mended; do
    timeout 100 python3 "$here/triton/launches.py" "$work/$version" > "$work/$version/triton-warm.log" 2>&1 &
  done
  wait
  say "triton: $(grep -hc launched "$work"/*/triton-warm.log | paste -sd+) kernels"
fi

# 3. One ncu at a time. The faulty ones first: what they tell is worth more if time runs out.
profile() {
  local version=$1 name=$2
  shift 2
  local began=$(date +%s%N)
  timeout 30 ncu "$@" --import-source yes --clock-control none --cache-control all --target-processes all \
    --kernel-name-base function --kernel-name planted --launch-skip 1 --launch-count 1 \
    --force-overwrite --export "$work/reports/$version.$name" "$work/$version/$name.exe" > "$work/$version/$name.ncu.log" 2>&1 \
    || say "ncu failed: $version $name: $(tail -1 "$work/$version/$name.ncu.log")"
  printf '%s\t%s\t%s\n' "$version" "$name" "$((($(date +%s%N) - began) / 1000000))" >> "$work/about/ncu-ms.tsv"
}
names=$(cd "$work/faulty" && ls ./*.exe | sed 's|^\./||; s|\.exe$||')
sections=()
for section in SourceCounters WarpStateStats SchedulerStats SpeedOfLight LaunchStats Occupancy MemoryWorkloadAnalysis ComputeWorkloadAnalysis InstructionStats; do
  sections+=(--section "$section")
done
for name in $names; do
  wanted faulty "$name" || continue
  late $((limit_s * 55 / 100)) && { say "late: faulty $name left out"; continue; }
  profile faulty "$name" "${sections[@]}"
done
say 'faulty ones profiled'
triton() {
  [ -d "$TRITON_CACHE_DIR" ] || return
  timeout 100 ncu "${@:2}" --import-source yes --clock-control none --cache-control all --target-processes all \
    --profile-from-start off --force-overwrite --export "$work/reports/$1.triton" \
    python3 "$here/triton/launches.py" "$work/$1" > "$work/$1/triton.ncu.log" 2>&1 || say "ncu failed: $1 triton: $(tail -1 "$work/$1/triton.ncu.log")"
  say "$1 triton profiled"
}
! wanted faulty triton || triton faulty "${sections[@]}"
for name in $names; do
  wanted mended "$name" || continue
  late $((limit_s * 85 / 100)) && { say "late: mended $name left out"; continue; }
  profile mended "$name" "${sections[@]}"
done
say 'mended ones profiled'
! wanted mended triton || late $((limit_s * 85 / 100)) || triton mended "${sections[@]}"

# 4. All pages at once, from the reports.
print() {
  local report=$1 stem
  stem=$work/csv/$(basename "${1%.ncu-rep}")
  local began=$(date +%s%N)
  timeout 60 ncu --import "$report" --page source --csv --print-source sass > "$stem.sass.csv" 2> "$stem.sass.err"
  printf '%s\tsass\t%s\n' "$(basename "$stem")" "$((($(date +%s%N) - began) / 1000000))" >> "$work/about/import-ms.tsv"
  timeout 60 ncu --import "$report" --page source --csv --print-source cuda,sass > "$stem.cuda-sass.csv" 2> "$stem.cuda-sass.err"
  timeout 60 ncu --import "$report" --page raw --csv --print-units base > "$stem.raw.csv" 2> "$stem.raw.err"
  case $report in
    *header-row-sum* | *tile-functor-slow* | *triton*)
      timeout 60 ncu --import "$report" --page source --csv --print-source cuda > "$stem.cuda.csv" 2> "$stem.cuda.err"
      timeout 60 ncu --import "$report" --page source --csv --print-source sass --print-kernel-base mangled --print-units base > "$stem.mangled.csv" 2> "$stem.mangled.err"
      timeout 60 ncu --import "$report" --page source --csv --print-source ptx > "$stem.ptx.csv" 2> "$stem.ptx.err"
      timeout 60 ncu --import "$report" --page details --csv --print-units base > "$stem.details.csv" 2> "$stem.details.err" ;;
  esac
}
disassemble() {
  local exe=$1 name
  name=$(basename "$(dirname "$1")").$(basename "${1%.exe}")
  mkdir -p "$work/xelf/$name"
  (cd "$work/xelf/$name" && timeout 30 cuobjdump -xelf all "$exe" > /dev/null 2>&1)
  local cubin
  cubin=$(ls "$work/xelf/$name"/*.cubin 2> /dev/null | head -1)
  [ -n "$cubin" ] || return 0
  cp "$cubin" "$work/code/$name.cubin"
  timeout 30 nvdisasm -c --print-line-info-inline "$cubin" > "$work/code/$name.inline.txt" 2>&1
}
export -f print disassemble
find "$work/reports" -name '*.ncu-rep' -print0 | xargs -0 -P "$cores" -I{} bash -c 'print {}'
say "pages printed: $(find "$work/csv" -name '*.sass.csv' -size +1k | wc -l)"
find "$work/faulty" "$work/mended" -name '*.exe' -print0 | xargs -0 -P "$cores" -I{} bash -c 'disassemble {}'
for version in faulty mended; do
  for cubin in "$work/$version"/*.cubin; do
    [ -f "$cubin" ] || continue
    cp "$cubin" "$work/code/$version.triton.$(basename "$cubin")"
    timeout 30 nvdisasm -c --print-line-info-inline "$cubin" > "$work/code/$version.triton.$(basename "$cubin" .cubin).inline.txt" 2>&1
  done
done
nvdisasm -g -c "$work/code/faulty.header-row-sum.cubin" > "$work/code/faulty.header-row-sum.g.txt" 2>&1
nvdisasm --help > "$work/about/nvdisasm-help.txt" 2>&1
say "disassembled: $(find "$work/code" -name '*.inline.txt' -size +1k | wc -l)"

# 5. A few whole reports; the others have been printed.
mkdir -p "$work/kept"
for kept in faulty.bank-column faulty.header-row-sum mended.header-row-sum faulty.tile-functor-slow faulty.called-root faulty.triton; do
  [ -f "$work/reports/$kept.ncu-rep" ] && cp "$work/reports/$kept.ncu-rep" "$work/kept/"
done
ls -l "$work/reports" > "$work/about/report-sizes.txt"
find "$work/csv" -name '*.err' -size 0 -delete
rm -rf "$work/xelf" "$work/reports" "$work/triton-cache"
find "$work" -name '*.exe' -delete
say 'packing'
tar -C "$(dirname "$work")" -cf - "$(basename "$work")" | xz -T0 -3 > "$pack.part" && mv "$pack.part" "$pack"
ls -l "$pack"
say done
