/** `pawl compare` of two files with 1,000 cases × 10 processes × 100 samples: wall time and peak memory. Prints Markdown. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import process from 'node:process';

import { median, Xoshiro128 } from '../src/stats/index.ts';

const CASES = 1000;
const PROCESSES = 10;
const SAMPLES = 100;
const REPEATS = 5;

const folder = mkdtempSync(join(tmpdir(), 'pawl-compare-speed-'));
const random = new Xoshiro128(1);
const files = ['a.json', 'b.json'].map((name) => join(folder, name));
for (const file of files) writeFileSync(file, JSON.stringify(samples()));

const pawl = resolve('bin/pawl');
const times: number[] = [];
let peak_kib = 0;
for (let repeat = 0; repeat < REPEATS; repeat++) {
  const start = performance.now();
  const run = spawnSync(
    '/usr/bin/time',
    ['-f', '%M', '-o', join(folder, 'kib'), pawl, 'compare', ...files, '--json'],
    {
      maxBuffer: 1 << 28,
    },
  );
  if (run.status === null || run.status > 2) throw new Error(run.stderr.toString());
  times.push(performance.now() - start);
  peak_kib = Math.max(peak_kib, Number(readFileSync(join(folder, 'kib'), 'utf8').trim().split('\n').at(-1)));
}

console.log(`# Comparing a thousand cases

${cpus()[0]?.model ?? 'unknown CPU'}, ${availableParallelism()} CPUs, Node ${process.versions.node}; ${new Date().toISOString()}; \`npx tsc -p tsconfig.bench.json && node .bench/bench/compare-speed.js\`.

\`pawl compare A.json B.json --json\`, ${CASES} cases × ${PROCESSES} processes × ${SAMPLES} samples per side (${(statSync(files[0]!).size / 1e6).toFixed(1)} MB a file), ${REPEATS} runs:

| what | figure | aim |
|---|--:|--:|
| wall time, median | ${(median(times) / 1000).toFixed(2)} s | under 2 s |
| peak memory | ${(peak_kib / 1024).toFixed(0)} MiB | under 500 MB |`);

function samples(): object {
  return {
    schema: 'pawl.samples/1',
    measurements: Array.from({ length: CASES }, (_, index) => ({
      kernel: 'k',
      case: `case_${index}`,
      series: Array.from({ length: PROCESSES }, (_unused, at) => {
        const level = 0.05 * (1 + 0.01 * random.nextOpen());
        const one = () => Number((level * (1 + 0.01 * random.nextOpen())).toFixed(6));
        return { process: at + 1, samples_ms: Array.from({ length: SAMPLES }, one) };
      }),
    })),
  };
}
