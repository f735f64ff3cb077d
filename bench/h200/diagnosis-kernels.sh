#!/usr/bin/env bash
# On a GPU machine: every kernel of bench/diagnosis-kernels.cu under ncu, and what Pawl says first of each; the
# name of a kernel is the rule that must come first. Also reads one capture as .ncu-rep. Writes to $1.
set -uo pipefail
out=$1
mkdir -p "$out"
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
program=${2:-$out/diagnosis-kernels}
[ -x "$program" ] || nvcc -O3 -arch=sm_90a -o "$program" "$root/bench/diagnosis-kernels.cu"
cat > "$out/first.mjs" <<'JS'
import { readFileSync } from 'node:fs';
const [name, file] = process.argv.slice(2);
for (const { limiter, findings } of JSON.parse(readFileSync(file, 'utf8')).kernels) {
  const rules = findings.map((one) => one.rule);
  console.log(rules[0] === name ? '✓' : rules.includes(name) ? '~' : '✗', name.padEnd(24), limiter.padEnd(16), rules.join(' '));
}
JS
for name in $("$program"); do
  ncu --set full --clock-control none --launch-skip 1 --launch-count 1 -f -o "$out/$name" "$program" "$name" > "$out/$name.log" 2>&1 \
    || { echo "✗ $name: ncu failed: $(tail -1 "$out/$name.log")"; continue; }
  LC_ALL=C ncu --import "$out/$name.ncu-rep" --csv --page raw --print-units base > "$out/$name.raw.csv"
  pawl diagnose "$out/$name.raw.csv" --json > "$out/$name.json" && node "$out/first.mjs" "$name" "$out/$name.json"
done
pawl diagnose "$out/$name.ncu-rep" | head -5
rm -f "$out"/*.ncu-rep
