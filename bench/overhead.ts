/**
 * What Pawl itself costs: start-up of a command, a cached build, and how much of a run's wall time the device
 * spends on measuring. Prints Markdown. `make bench`.
 */
import { execFile } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { promisify } from 'node:util';

import { median } from '../src/stats/index.ts';
import { bench, buildKernels, openProject } from '../src/index.ts';

const run = promisify(execFile);
const root = resolve(process.cwd());
const pawl = join(root, 'bin/pawl');
const kernel = process.argv[2] ?? 'attention-cpu';
const REPEATS = 21;

console.log(`# What Pawl costs

${cpus()[0]?.model ?? 'unknown CPU'}, ${availableParallelism()} CPUs, Node ${process.versions.node}; ${new Date().toISOString()}; \`make bench\` (\`node .bench/bench/overhead.js ${kernel}\`).

| command | median ms | beside \`node -e 0\` |
|---|--:|--:|`);
const bare_ms = await wallTime(process.execPath, ['-e', '0']);
console.log(`| \`node -e 0\` | ${bare_ms.toFixed(0)} | |`);
for (const args of [['--version'], ['bench', '--help'], ['build', '--only', kernel, '--quiet']]) {
  const ms = await wallTime(pawl, args);
  console.log(`| \`pawl ${args.join(' ')}\` | ${ms.toFixed(0)} | ${(ms / bare_ms).toFixed(2)}× |`);
}

const loaded = await openProject(root);
await buildKernels({ loaded, only: [kernel] });
const folder = await mkdtemp(join(tmpdir(), 'pawl-overhead-'));
const started = performance.now();
const { samples } = await bench({
  config: root,
  only: [kernel],
  processes: 5,
  check: false,
  out: join(folder, 'x.json'),
});
const total_ms = performance.now() - started;

const series = samples.measurements
  .flatMap((measurement) => measurement.series)
  .map((one) => {
    const start_ms = Date.parse(one.started_at ?? '');
    const cost_ms = (one.warmup_cost_ms ?? 0) + (one.sampling_cost_ms ?? 0);
    return { process: one.process, start_ms, cost_ms, end_ms: start_ms + cost_ms };
  })
  .sort((a, b) => a.start_ms - b.start_ms);
const gaps = series.slice(1).map((next, index) => {
  const before = series[index];
  return { gap_ms: next.start_ms - (before?.end_ms ?? 0), same: before?.process === next.process };
});
const device_ms = series.reduce((sum, { cost_ms }) => sum + cost_ms, 0);
const span_ms = (series.at(-1)?.end_ms ?? 0) - (series[0]?.start_ms ?? 0);
console.log(`
A run of \`${kernel}\`: ${series.length} series in ${new Set(series.map(({ process }) => process)).size} processes, everything built before.

| what | figure |
|---|--:|
| wall time of the whole run, start to written report | ${(total_ms / 1000).toFixed(2)} s |
| between two series of one process (case prepared, state read, journal on disk) | ${median(gaps.filter(({ same }) => same).map(({ gap_ms }) => gap_ms)).toFixed(1)} ms |
| between two processes (old one ended, new one started, kernel loaded, case prepared) | ${median(gaps.filter(({ same }) => !same).map(({ gap_ms }) => gap_ms)).toFixed(1)} ms |
| share of the measuring phase in which the device is warming up or sampling | ${((device_ms / span_ms) * 100).toFixed(1)} % |
| share of the whole run | ${((device_ms / total_ms) * 100).toFixed(1)} % |`);

async function wallTime(command: string, args: readonly string[]): Promise<number> {
  const times: number[] = [];
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    const start = performance.now();
    await run(command, [...args], { cwd: root });
    times.push(performance.now() - start);
  }
  return median(times);
}
