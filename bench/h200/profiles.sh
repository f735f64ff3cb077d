#!/usr/bin/env bash
# On a GPU machine: the CUDA attention kernel healthy and with planted faults under ncu, and what Pawl says first.
# Writes the reports to $1.
set -uo pipefail
out=$1
mkdir -p "$out"
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
for kernel in healthy unswizzled spilled large-tile; do
  pawl profile "$kernel" -C "$root/bench/planted-faults" --case training_512 -q --out "$out/$kernel" --json > "$out/$kernel.json"
done
cat > "$out/first.mjs" <<'JS'
import { readFileSync } from 'node:fs';
for (const name of process.argv.slice(2)) {
  const report = JSON.parse(readFileSync(name, 'utf8'));
  if (report.skipped) { console.log(name, 'skipped:', report.skipped.message); continue; }
  for (const { limiter, duration_us, findings } of report.head.diagnosis.kernels)
    console.log(report.kernel.padEnd(12), `${duration_us.toFixed(1)} us`, limiter.padEnd(10), findings.map((f) => `${f.rule}(${f.expected_gain_pct}%)`).join(' '), `· capture ${report.head.seconds.toFixed(1)} s`);
}
JS
node "$out/first.mjs" "$out"/{healthy,unswizzled,spilled,large-tile}.json
pawl diagnose --compare "$out/healthy/head.raw.csv" "$out/unswizzled/head.raw.csv" | head -12
pawl diagnose --compare "$out/healthy/head.raw.csv" "$out/spilled/head.raw.csv" | head -6
