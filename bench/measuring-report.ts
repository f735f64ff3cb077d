/**
 * Turns what bench/h200/measuring.sh wrote into Markdown:
 *   node .bench/bench/measuring-report.js docs/results/h200/measuring > docs/results/h200/measuring.md
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';

import { samplesSchema, type Measurement, type Samples } from '../src/model/samples.ts';
import { median, standardDeviation, mean } from '../src/stats/index.ts';

interface PeerRow {
  readonly kernel: string;
  readonly case: string;
  readonly do_bench_ms: number;
  readonly graph_ms: number;
}

const folder = process.argv[2];
if (folder === undefined) throw new Error('usage: measuring-report FOLDER');

const backends = await samplesFrom('backends.json');
const blocked = await samplesFrom('spread-blocked.json');
const plain = await samplesFrom('spread-plain.json');
const peers = (await readFile(join(folder, 'peers.jsonl'), 'utf8'))
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as PeerRow);

const { device, environment } = backends;
console.log(`# How well Pawl measures on an ${device?.name}

Driver ${device?.driver}, CUDA ${device?.cuda_runtime}, ${device?.sm_count} multiprocessors, ${environment?.os ?? ''}, PyTorch ${versionOf('torch')}, Triton ${versionOf('triton')}; clocks as they were; ${environment?.started_at}. fp16 attention, D = 64, not causal. Raw samples: [measuring/](measuring/).

\`\`\`sh
bench/h200/measuring.sh OUT agreement && bench/h200/measuring.sh OUT spread      # on the GPU machine
npx tsc -p tsconfig.bench.json && node .bench/bench/measuring-report.js OUT      # these tables
\`\`\`

## The backends, and our first CUDA kernel

Median of the medians of ${processesOf(backends)} fresh processes, µs; 95 % interval in the raw report.

| case | kernel | cold | hot | graph | TFLOP/s, cold | SM clock MHz, cold |
|---|---|--:|--:|--:|--:|--:|`);
for (const one of backends.measurements.filter(({ mode }) => mode === 'cold')) {
  const times = (['cold', 'hot', 'graph'] as const).map((mode) => us(level(find(backends, one, mode))));
  const rate = (one.operations ?? 0) / level(one) / 1e9;
  console.log(
    `| ${one.case} | ${one.kernel} | ${times.join(' | ')} | ${rate.toFixed(0)} | ${clock(one).toFixed(0)} |`,
  );
}

console.log(`
## Beside other tools, in like modes

The same calls in the same run (our five processes between two processes of the others before and two after). Cold stands beside Triton's \`do_bench\`, which overwrites 256 MB before each call and takes events around it; graph beside the replay of a \`torch.cuda.CUDAGraph\` of 20 calls.

| case | kernel | cold µs | do_bench µs | difference | graph µs | CUDA graph µs | difference |
|---|---|--:|--:|--:|--:|--:|--:|`);
for (const one of backends.measurements.filter(
  ({ mode, kernel }) => mode === 'cold' && kernel !== 'attention-cuda',
)) {
  const rows = peers.filter((row) => row.kernel === one.kernel && row.case === one.case);
  const doBench = median(rows.map((row) => row.do_bench_ms));
  const graph = median(rows.map((row) => row.graph_ms));
  const ours = level(one);
  const oursGraph = level(find(backends, one, 'graph'));
  console.log(
    `| ${one.case} | ${one.kernel} | ${us(ours)} | ${us(doBench)} | ${pct(ours / doBench - 1)} | ${us(oursGraph)} | ${us(graph)} | ${pct(oursGraph / graph - 1)} |`,
  );
}

console.log(`
## Spread between fresh processes

The medians of ten fresh processes of the same code, cold mode: their standard deviation relative to their mean, and their range. *Plain* is the same machinery without the blocking kernel: events around the launch on an idle stream, so that launch latency is inside.

| kernel | case | median µs, blocked | SD | range | median µs, plain | SD | range |
|---|---|--:|--:|--:|--:|--:|--:|`);
for (const one of blocked.measurements) {
  const other = find(plain, one, 'cold');
  console.log(`| ${one.kernel} | ${one.case} | ${spread(one)} | ${spread(other)} |`);
}

async function samplesFrom(name: string): Promise<Samples> {
  return samplesSchema.parse(JSON.parse(await readFile(join(folder ?? '', name), 'utf8')));
}

function find(samples: Samples, like: Measurement, mode: Measurement['mode']): Measurement {
  const found = samples.measurements.find(
    (one) => one.kernel === like.kernel && one.case === like.case && one.mode === mode,
  );
  if (found === undefined) throw new Error(`no ${like.kernel} ${like.case} ${mode}`);
  return found;
}

function processMedians({ series }: Measurement): number[] {
  return series.map(({ samples_ms }) => median(samples_ms));
}

function level(measurement: Measurement): number {
  return median(processMedians(measurement));
}

function clock({ series }: Measurement): number {
  return median(series.map(({ clock_mhz }) => median(clock_mhz ?? [0])));
}

function spread(measurement: Measurement): string {
  const medians = processMedians(measurement);
  const relative = standardDeviation(medians) / mean(medians);
  const range = (Math.max(...medians) - Math.min(...medians)) / mean(medians);
  return `${us(median(medians))} | ${pct(relative, false)} | ${pct(range, false)}`;
}

function processesOf(samples: Samples): number {
  return Math.max(...samples.measurements.map(({ series }) => series.length));
}

function versionOf(name: string): string {
  return (
    backends.measurements.map(({ versions }) => versions?.[name]).find((text) => text !== undefined) ?? ''
  );
}

function us(ms: number): string {
  return (ms * 1000).toFixed(2);
}

function pct(share: number, signed = true): string {
  return `${signed && share >= 0 ? '+' : ''}${(share * 100).toFixed(2)} %`;
}
