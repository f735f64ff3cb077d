/**
 * Turns what bench/h200/measuring.sh wrote into Markdown:
 *   node .bench/bench/measuring-report.js docs/results/h200/measuring > docs/results/h200/measuring.md
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';

import type { Measurement, Samples } from '../src/model/measure/samples.ts';
import { median, standardDeviation, mean } from '../src/stats/index.ts';
import {
  clockOf,
  findMeasurement,
  levelOf,
  processesOf,
  processMedians,
  readSamples,
} from './read-samples.ts';

interface PeerRow {
  readonly kernel: string;
  readonly case: string;
  readonly do_bench_ms: number;
  readonly graph_ms: number;
  readonly graph_paused_ms?: number;
}

const folder = process.argv[2];
if (folder === undefined) throw new Error('usage: measuring-report FOLDER');

const backends = await samplesFrom('backends.json');
const blocked = await samplesFrom('spread-blocked.json');
const plain = await samplesFrom('spread-plain.json');
const peers = await peersFrom('peers.jsonl');
const paused = await peersFrom('peers-paused.jsonl');

const { device, environment } = backends;
console.log(`# How well Pawl measures on an ${device?.name}

Driver ${device?.driver}, CUDA ${device?.cuda_runtime}, ${device?.sm_count} multiprocessors, ${environment?.os ?? ''}, PyTorch ${versionOf('torch')}, Triton ${versionOf('triton')}; clocks as they were; ${environment?.started_at}. fp16 attention, D = 64, not causal. Raw samples: [measuring/](measuring/).

\`\`\`sh
bench/h200/measuring.sh OUT agreement && bench/h200/measuring.sh OUT spread      # on the GPU machine
python3 bench/h200/peers.py 1 > OUT/peers-paused.jsonl                           # there, a later call
npx tsc -p tsconfig.bench.json && node .bench/bench/measuring-report.js OUT      # these tables
\`\`\`

## The backends, and our first CUDA kernel

Median of the medians of ${processesOf(backends)} fresh processes, µs; 95 % interval in the raw report.

| case | kernel | cold | hot | graph | TFLOP/s, cold | SM clock MHz, cold |
|---|---|--:|--:|--:|--:|--:|`);
for (const one of backends.measurements.filter(({ mode }) => mode === 'cold')) {
  const times = (['cold', 'hot', 'graph'] as const).map((mode) =>
    us(levelOf(findMeasurement(backends, one, mode))),
  );
  const rate = (one.operations ?? 0) / levelOf(one) / 1e9;
  console.log(
    `| ${one.case} | ${one.kernel} | ${times.join(' | ')} | ${rate.toFixed(0)} | ${clockOf(one).toFixed(0)} |`,
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
  const ours = levelOf(one);
  const oursGraph = levelOf(findMeasurement(backends, one, 'graph'));
  console.log(
    `| ${one.case} | ${one.kernel} | ${us(ours)} | ${us(doBench)} | ${pct(ours / doBench - 1)} | ${us(oursGraph)} | ${us(graph)} | ${pct(oursGraph / graph - 1)} |`,
  );
}

console.log(`
Where they differ by more than 2 %:

- **do_bench, short_128 and cuDNN at 512**: \`do_bench\` relies on the 60 µs that its 256 MB take to hide the host. A call through PyTorch with a forced backend takes the host longer than that, so what it reads is partly the host. Ours holds the stream until everything is queued.
- **CUDA graph, cuDNN at 128**: 20 calls of 8 µs a replay against our 50, so that the start of a replay weighs more.
- **CUDA graph, cuDNN at 1024 and 2048, flash at 2048, and do_bench, cuDNN at 2048**: run back to back without a pause, these kernels draw so much power that the chip lowers their clock. With a pause of 2 ms before each replay the same loop agrees with ours, which pauses while it reads clocks and state:

| case | kernel | back to back µs | with a pause µs | ours µs | difference to paused |
|---|---|--:|--:|--:|--:|`);
for (const row of paused) {
  const one = findMeasurement(backends, row, 'graph');
  const difference = levelOf(one) / (row.graph_paused_ms ?? 0) - 1;
  if (row.case === 'short_128' || row.kernel === 'sdpa-math') continue;
  console.log(
    `| ${row.case} | ${row.kernel} | ${us(row.graph_ms)} | ${us(row.graph_paused_ms ?? 0)} | ${us(levelOf(one))} | ${pct(difference)} |`,
  );
}

console.log(`
## Spread between fresh processes

The medians of ten fresh processes of the same code, cold mode: their standard deviation relative to their mean, and their range. *Plain* is the same machinery without the blocking kernel: events around the launch on an idle stream, so that launch latency is inside.

| kernel | case | median µs, blocked | SD | range | median µs, plain | SD | range |
|---|---|--:|--:|--:|--:|--:|--:|`);
for (const one of blocked.measurements) {
  const other = findMeasurement(plain, one, 'cold');
  console.log(`| ${one.kernel} | ${one.case} | ${spread(one)} | ${spread(other)} |`);
}

function samplesFrom(name: string): Promise<Samples> {
  return readSamples(join(folder ?? '', name));
}

async function peersFrom(name: string): Promise<PeerRow[]> {
  const text = await readFile(join(folder ?? '', name), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as PeerRow);
}

function spread(measurement: Measurement): string {
  const medians = processMedians(measurement);
  const relative = standardDeviation(medians) / mean(medians);
  const range = (Math.max(...medians) - Math.min(...medians)) / mean(medians);
  return `${us(median(medians))} | ${pct(relative, false)} | ${pct(range, false)}`;
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
