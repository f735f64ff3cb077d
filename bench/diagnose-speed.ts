/**
 * How long `pawl diagnose` takes, start-up included, and what a file of 100 MB costs. Prints Markdown.
 * `node .bench/bench/diagnose-speed.js`, after `npx tsc -p tsconfig.build.json`.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import process from 'node:process';

import { median } from '../src/stats/index.ts';

const FIXTURES = resolve('test/fixtures/ncu');
const PAWL = resolve('bin/pawl');
const REPEATS = 21;
const BIG_BYTES = 100e6;

const folder = mkdtempSync(join(tmpdir(), 'pawl-diagnose-speed-'));
const pages = ['raw', 'details'].map((page) => join(FIXTURES, `sdpa_flash.${page}.csv`));
const big = pages.map((path, at) => bigger(path, join(folder, `${at}.csv`)));

console.log(`# How long a diagnosis takes

${cpus()[0]?.model ?? 'unknown CPU'}, ${availableParallelism()} CPUs, Node ${process.versions.node}; ${new Date().toISOString()}; \`npx tsc -p tsconfig.bench.json && npx tsc -p tsconfig.build.json && node .bench/bench/diagnose-speed.js\`.

| command | median of ${REPEATS} | CPU time | aim |
|---|--:|--:|--:|
${row('`node -e 0`', [process.execPath, '-e', '0'], '')}
${row('`pawl diagnose sdpa_flash.raw.csv --json` (165 kB)', [PAWL, 'diagnose', pages[0]!, '--json'], 'under 300 ms')}
${row('`pawl diagnose sdpa_flash.details.csv`', [PAWL, 'diagnose', pages[1]!], 'under 300 ms')}

| file | size | launches | wall time | peak memory |
|---|--:|--:|--:|--:|
${big.map(bigRow).join('\n')}`);
rmSync(folder, { recursive: true });

function row(name: string, [command = '', ...args]: readonly string[], aim: string): string {
  const runs = Array.from({ length: REPEATS }, () => timed(command, args));
  const middle = (values: readonly number[]): string => `${median(values).toFixed(0)} ms`;
  return `| ${name} | ${middle(runs.map(({ wall_ms }) => wall_ms))} | ${middle(runs.map(({ cpu_ms }) => cpu_ms))} | ${aim} |`;
}

function timed(command: string, args: readonly string[]) {
  const note = join(folder, 'time');
  const started_ms = performance.now();
  const run = spawnSync('/usr/bin/time', ['-f', '%U %S %M', '-o', note, command, ...args], {
    maxBuffer: 1 << 30,
  });
  const wall_ms = performance.now() - started_ms;
  if (run.status !== 0) throw new Error(run.stderr.toString());
  const [user_s = 0, system_s = 0, peak_kib = 0] = readFileSync(note, 'utf8').trim().split(' ').map(Number);
  return { wall_ms, cpu_ms: (user_s + system_s) * 1000, peak_mib: peak_kib / 1024 };
}

/** The launch of a file over and over, each with a number of its own. */
function bigger(
  path: string,
  to: string,
): { readonly path: string; readonly launches: number; readonly page: string } {
  const page = path.includes('.raw.') ? 'raw' : 'details';
  const [header = '', ...rows] = readFileSync(path, 'utf8').trimEnd().split('\n');
  const units = page === 'raw' ? rows.splice(0, 1) : [];
  const bytes = rows.reduce((sum, line) => sum + line.length + 1, 0);
  const launches = Math.ceil(BIG_BYTES / bytes);
  const all = [header, ...units];
  for (let id = 0; id < launches; id++) for (const line of rows) all.push(line.replace('"0"', `"${id}"`));
  writeFileSync(to, `${all.join('\n')}\n`);
  return { path: to, launches, page };
}

function bigRow({ path, launches, page }: ReturnType<typeof bigger>): string {
  const { wall_ms, peak_mib } = timed(PAWL, ['diagnose', path]);
  const size = `${(statSync(path).size / 1e6).toFixed(0)} MB`;
  return `| ${page} page | ${size} | ${launches} | ${(wall_ms / 1000).toFixed(1)} s | ${peak_mib.toFixed(0)} MiB |`;
}
