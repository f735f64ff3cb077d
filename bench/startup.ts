/**
 * How long commands that only show something take from start to end, beside bare Node. Prints Markdown.
 *
 *   npx tsc -p tsconfig.bench.json && node .bench/bench/startup.js [REPEATS]
 *
 * Every repetition runs each command once, in turn, so that a busy minute of the machine slows all of them alike; what
 * counts is the ratio within a repetition.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { promisify } from 'node:util';

import { bootstrapMedian, median } from '../src/stats/index.ts';

const run = promisify(execFile);
const pawl = resolve('bin/pawl');
const repeats = Number(process.argv[2] ?? 41);
const COMMITS = 60;
const COMMANDS = [
  ['--version'],
  ['--help'],
  ['bench', '--help'],
  ['history'],
  ['trend', 'k/small'],
  ['lessons'],
];

const project = await mkdtemp(join(tmpdir(), 'pawl-startup-'));
try {
  await writeProject();
  const bare: number[] = [];
  const times = COMMANDS.map((): number[] => []);
  for (let repeat = 0; repeat < repeats; repeat++) {
    bare.push(await wallTime_ms(process.execPath, ['-e', '0']));
    for (const [index, args] of COMMANDS.entries()) times[index]!.push(await wallTime_ms(pawl, args));
  }
  console.log(`# How soon Pawl answers

${cpus()[0]?.model ?? 'unknown CPU'}, ${availableParallelism()} CPUs, load ${loadavg()[0]!.toFixed(1)}, Node ${process.versions.node}; ${new Date().toISOString()}; \`node .bench/bench/startup.js ${repeats}\`.

A history of ${COMMITS} runs with three cases each. Each of ${repeats} repetitions runs every command once; the ratio is to \`node -e 0\` of the same repetition, with the 95 % interval of its median.

| command | median ms | beside \`node -e 0\` | 95 % |
|---|--:|--:|--:|
| \`node -e 0\` | ${median(bare).toFixed(0)} | | |`);
  for (const [index, args] of COMMANDS.entries()) {
    const ratios = times[index]!.map((time, repeat) => time / bare[repeat]!);
    const { low, high, median: ratio } = bootstrapMedian(ratios);
    console.log(
      `| \`pawl ${args.join(' ')}\` | ${median(times[index]!).toFixed(0)} | ${ratio.toFixed(2)}× | ${low.toFixed(2)} – ${high.toFixed(2)} |`,
    );
  }
} finally {
  await rm(project, { recursive: true, force: true });
}

/** A project with a past: a level that rises once, in each of three cases. */
async function writeProject(): Promise<void> {
  await run(pawl, ['init', '--device', 'cpu'], { cwd: project });
  const past = join(project, 'past');
  await mkdir(past);
  for (let day = 0; day < COMMITS; day++) {
    const commit = day.toString(16).padStart(40, 'c');
    const started_at = new Date(Date.UTC(2026, 0, 1 + day)).toISOString();
    const level_ms = day < COMMITS / 2 ? 1 : 1.1;
    const series = [1, 2, 3, 4, 5].map((number) => ({
      process: number,
      started_at,
      // Some spread that is the same every time.
      samples_ms: Array.from(
        { length: 100 },
        (_, n) => level_ms * (1 + 0.001 * ((n * 7 + number * 3 + day) % 11)),
      ),
    }));
    const measurements = ['small', 'wide', 'ragged'].map((name) => ({
      kernel: 'k',
      case: name,
      variant: {},
      commit,
      mode: 'cold',
      series,
    }));
    const samples = {
      schema: 'pawl.samples/1',
      created_at: started_at,
      device: { name: 'a CPU' },
      measurements,
    };
    await writeFile(join(past, `${day}.json`), JSON.stringify(samples));
  }
  await run(pawl, ['history', 'import', '--quiet', past], { cwd: project });
}

async function wallTime_ms(command: string, args: readonly string[]): Promise<number> {
  const start = performance.now();
  await run(command, [...args], { cwd: project });
  return performance.now() - start;
}
