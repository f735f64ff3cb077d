#!/usr/bin/env bash
# On a GPU machine: versions of published kernels under ncu, for docs/results/predicted-gains.md. Programs were built by
# public-pairs/build.sh; which pairs are compared is in public-pairs/pairs.tsv, fixed before.
#   public-pairs.sh PROGRAMS PACK.tar.xz [SECONDS]
# Each program runs once under ncu, with the options of `pawl profile`, and each version of it once in there. Goes on
# after a failure; the shortest programs come first. Prints a line per version: its duration in microseconds.
set -uo pipefail
programs=$(cd "$1" && pwd)
mkdir -p "$(dirname "$2")"
pack=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
limit_s=${3:-150}
work=$(mktemp -d)/pairs
mkdir -p "$work/csv" "$work/code" "$work/logs"
export LC_ALL=C
SECONDS=0
families='adamw gelu_forward gelu_backward residual_forward encoder_forward global_norm layernorm_forward
  fused_residual_forward sgemm trimat_forward classifier_fused softmax_forward'
print() {
  local report=$work/$1
  timeout 60 ncu --import "$report.ncu-rep" --page raw --csv --print-units base > "$work/csv/$1.raw.csv" 2> "$work/logs/$1.raw"
  timeout 60 ncu --import "$report.ncu-rep" --page source --csv --print-source sass --print-kernel-base mangled \
    --print-units base > "$work/csv/$1.sass.csv" 2> "$work/logs/$1.sass"
}
{ ncu --version | tail -1; nvidia-smi --query-gpu=name,driver_version --format=csv,noheader; } > "$work/machine.txt" 2>&1
for family in $families; do
  [ -x "$programs/$family" ] || { echo "not there: $family"; continue; }
  [ "$SECONDS" -ge "$limit_s" ] && { echo "late: $family left out"; continue; }
  timeout 90 ncu --set full --import-source yes --clock-control none --cache-control all --target-processes all \
    --profile-from-start off --force-overwrite --export "$work/$family" "$programs/$family" > "$work/logs/$family" 2>&1 ||
    echo "ncu failed: $family: $(tail -1 "$work/logs/$family")"
  grep -E "^$family [0-9]+$" "$work/logs/$family" > "$work/csv/$family.versions"
  cp "$programs/$family.cubin" "$work/code/"
  # Pages are printed while the next one is profiled: that is work for a CPU.
  print "$family" &
  printf '%4d s  %s\n' "$SECONDS" "$family"
done
wait
rm -f "$work"/*.ncu-rep
tar -C "$(dirname "$work")" -cJf "$pack.part" pairs && mv "$pack.part" "$pack"
python3 - "$work" << 'PYTHON'
import csv, glob, os, sys

for path in sorted(glob.glob(f"{sys.argv[1]}/csv/*.raw.csv")):
    family = os.path.basename(path)[: -len(".raw.csv")]
    versions = open(f"{sys.argv[1]}/csv/{family}.versions").read().split("\n")
    rows = [row for row in csv.DictReader(line for line in open(path) if line.startswith('"')) if row["ID"].isdigit()]
    for version, row in zip(versions, rows):
        print(f"{version:28} {float(row['gpu__time_duration.sum'].replace(',', '')) / 1000:10.1f} us  {row['Kernel Name'][:60]}")
PYTHON
ls -l "$pack"
