/**
 * Turns what bench/h200/verdicts.sh wrote into Markdown:
 *   node .bench/bench/verdicts-report.js docs/results/h200/verdicts/verdicts.jsonl > docs/results/h200/verdicts.md
 */
import { readFileSync } from 'node:fs';
import process from 'node:process';

import { mean } from '../src/stats/index.ts';

interface Row {
  readonly delay_ns: number;
  readonly round: number;
  readonly verdict: string;
  readonly change_pct: number;
  readonly ci_pct: readonly [number, number];
  readonly processes: readonly [number, number];
  readonly baseline_ms: number;
  readonly candidate_ms: number;
  readonly device_s: number;
}

const rows = readFileSync(process.argv[2] ?? '', 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Row);

console.log(`# Verdicts where the truth is known, on an NVIDIA H200

The attention kernel at B=16 H=8 S=1024 D=64 (157 µs, cold) through \`pawl compare\`: against itself, and against itself with a one-thread kernel behind it that spins for 3.3 and 6.3 µs (\`bench/planted\`). Interleaved blocks of fresh processes, an A/A control beside them, clocks as they were; each comparison from nothing. \`bench/h200/verdicts.sh OUT\`, then \`bench/verdicts-report.ts\`; raw: [verdicts/](verdicts/).

What was really planted is the mean over all comparisons of a row; GPU seconds are how long the device was held.

| planted | comparisons | maintained | regressed | improved | undecided | mean change | processes per side | GPU seconds each |
|---|--:|--:|--:|--:|--:|--:|--:|--:|`);
for (const delay of new Set(rows.map(({ delay_ns }) => delay_ns))) {
  const own = rows.filter(({ delay_ns }) => delay_ns === delay);
  const count = (verdict: string) => own.filter((row) => row.verdict === verdict).length;
  const cells = [
    delay === 0 ? 'nothing' : `${delay / 1000} µs`,
    own.length,
    ...['maintained', 'regressed', 'improved', 'undecided'].map(count),
    `${signed(mean(own.map(({ change_pct }) => change_pct)))} %`,
    mean(own.map(({ processes }) => processes[0])).toFixed(1),
    mean(own.map(({ device_s }) => device_s)).toFixed(1),
  ];
  console.log(`| ${cells.join(' | ')} |`);
}

console.log(`
## Every verdict

| round | planted | verdict | change (positive is faster) | interval | baseline µs | candidate µs | processes | GPU s |
|--:|--:|---|--:|--:|--:|--:|--:|--:|`);
for (const row of rows) {
  const [low, high] = row.ci_pct;
  console.log(
    `| ${row.round} | ${row.delay_ns / 1000} µs | ${row.verdict} | ${signed(row.change_pct)} % | ${signed(low)} … ${signed(high)} | ${(row.baseline_ms * 1000).toFixed(2)} | ${(row.candidate_ms * 1000).toFixed(2)} | ${row.processes.join(' + ')} | ${row.device_s.toFixed(1)} |`,
  );
}

function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(2)}`;
}
