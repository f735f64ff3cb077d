#!/usr/bin/env bash
# On a GPU machine: the same kernels by two versions of Pawl, in turns, so that what the machine does to one it does to
# the other. bench/h200/before-after.sh OLD NEW OUT: the two commands, and a folder for the samples. Prints a line per
# series: median, SM clock, both multiplied.
set -uo pipefail
old=$1 new=$2 out=$3
mkdir -p "$out"
kernels=attention-hopper,attention-cuda,sdpa-flash,sdpa-cudnn
bench() { "$@" --case training_512 --no-check --no-history -q > "$out/last.txt" 2>&1; }
for round in 1 2 3; do
  bench "$old" bench --only $kernels --processes 1 --stopping fixed --samples 100 --out "$out/O$round.json"
  bench "$new" bench --only $kernels --processes 1 --stopping fixed --samples 100 --out "$out/N$round.json"
done
for mode in hot graph; do
  bench "$old" bench --only attention-hopper,sdpa-cudnn --processes 2 --mode $mode --out "$out/O$mode.json"
  bench "$new" bench --only attention-hopper,sdpa-cudnn --processes 2 --mode $mode --out "$out/N$mode.json"
done
python3 - "$out"/[ON]*.json <<'PYTHON'
import json, os, statistics, sys

for path in sys.argv[1:]:
    for measured in json.load(open(path))["measurements"]:
        for series in measured["series"]:
            ms = statistics.median(series["samples_ms"])
            mhz = statistics.median(series.get("clock_mhz", [0]))
            print(os.path.basename(path), measured["kernel"], measured["mode"], len(series["samples_ms"]),
                  f"{ms * 1e3:.2f} us", f"clock {mhz:.0f}", f"kcycles {ms * mhz:.2f}", series.get("timing"))
PYTHON
