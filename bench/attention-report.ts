/**
 * Turns what bench/h200/attention-results.sh wrote into docs/results/attention.md and its pictures:
 *   node .bench/bench/attention-report.js docs/results/h200/attention-shapes > docs/results/attention.md
 */
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import process from 'node:process';

import { compareSamples } from '../src/judge/compare-measurements.ts';
import type { CaseComparison } from '../src/model/judge/comparison.ts';
import { fuzzReportSchema, type FuzzReport } from '../src/model/correctness/fuzz-report.ts';
import type { Measurement, Samples } from '../src/model/measure/samples.ts';
import { standardDeviation } from '../src/stats/index.ts';
import { processesNeeded } from '../src/stats/power.ts';
import { attentionPicture } from './attention/picture.tsx';
import {
  clockOf,
  findMeasurement,
  levelOf,
  processesOf,
  processMedians,
  readSamples,
} from './read-samples.ts';

const folder = process.argv[2];
if (folder === undefined) throw new Error('usage: attention-report FOLDER');

const BACKENDS = ['sdpa-cudnn', 'sdpa-flash', 'sdpa-efficient', 'sdpa-math'] as const;

const [shapes, deeper] = [await samplesFrom('shapes-64.json'), await samplesFrom('shapes-128.json')];
const others = await samplesFrom('others.json');
const modes = await samplesFrom('modes.json');
/** Of a run without git. */
const packed = (await readFile(join(folder, 'commit'), 'utf8')).trim();
const fuzzed = await fuzzReportFrom('fuzz.json');
const sanitized = await fuzzReportFrom('sanitized.json');
const all = [...shapes.measurements, ...deeper.measurements, ...others.measurements];
const cases = [...new Set(all.map((one) => one.case))].sort(byShape);
const { device } = shapes;

const rows = cases.map((name) => {
  const at = (kernel: string) => all.find((one) => one.case === name && one.kernel === kernel);
  const variantFor = (kernel: string) =>
    all.find((one) => one.case === name && one.kernel?.startsWith(kernel));
  const ours = variantFor('hopper');
  const backends = BACKENDS.map((kernel) => at(kernel));
  const cudnn = at('sdpa-cudnn');
  if (ours === undefined || cudnn === undefined) throw new Error(`${name} was not measured in full`);
  return { name, ours, portable: variantFor('mma'), backends, cudnn, flash: at('sdpa-flash') };
});

console.log(`# Attention on an ${device?.name}: our kernels beside every backend of PyTorch

B = 32, H = 8, fp16 in and out, fp32 sums. Driver ${device?.driver}, CUDA ${device?.cuda_runtime}, PyTorch ${versionOf('torch')}; ${environmentOf(shapes)}; clocks as they were. Every time is the median of the medians of fresh processes, cache flushed before each call (cold): ${processesOf(shapes)} processes of ours and cuDNN, one run per D, in random order and on one machine, results compared with an fp64 oracle before, and those of timed calls after. The other kernels are from runs of their own, on other machines. Samples, and which is from when: [${shown(folder)}](${shown(folder)}/).

\`\`\`sh
for part in clean right shapes-64 shapes-128 others modes; do bench/h200/attention-results.sh OUT $part ${processesOf(shapes)}; done      # on the GPU machine
npx tsc -p tsconfig.bench.json && node .bench/bench/attention-report.js OUT > docs/results/attention.md
\`\`\`

![Speed by shape](${shown(folder)}/speed.svg)

## Every shape

µs. *Ours* is the Hopper kernel, in the variant for its shape ([bench/attention/pawl.yaml](../../bench/attention/pawl.yaml)); *mma.sync* is the kernel that runs from compute capability 8.0 on. The speed-up over cuDNN has the interval that \`pawl compare\` judges by (allowed for ${cases.length} shapes at once); the last column divides medians of two runs.

| S | D | mask | ours | TFLOP/s | mma.sync | cuDNN | FlashAttention-2 | mem.-efficient | math | over cuDNN | over FlashAttention-2 |
|--:|--:|---|--:|--:|--:|--:|--:|--:|--:|---|---|`);
const againstCudnn = compareRows(rows.map(({ ours, cudnn }) => [cudnn, ours] as const));
for (const { name, ours, portable, backends, flash } of rows) {
  const { S, D, CAUSAL } = ours.dims ?? {};
  const times = [portable, ...backends].map((one) => (one === undefined ? '' : us(levelOf(one))));
  console.log(
    `| ${S} | ${D} | ${CAUSAL === 1 ? 'causal' : ''} | **${us(levelOf(ours))}** | ${rate(ours).toFixed(0)} | ${times.join(' | ')} | ${speedUp(againstCudnn.get(name))} | ${flash === undefined ? '' : `${(levelOf(flash) / levelOf(ours)).toFixed(2)}×`} |`,
  );
}

console.log(`
${slowerThanFlash('ours', 'Ours')} ${slowerThanFlash('portable', 'The mma.sync kernel')}
${await notes()}
## S = 512, D = 64: three ways to call it

A run of its own, ${processesOf(modes)} processes each. *Hot*: calls back to back, data in the L2 as far as it fits; *graph*: replayed from a CUDA graph.

| kernel | cold µs | hot µs | graph µs | SM clock in the three, MHz | processes differ by, cold | processes per side to see 3 % |
|---|--:|--:|--:|---|--:|--:|`);
for (const one of modes.measurements
  .filter(({ mode }) => mode === 'cold')
  .sort((a, b) => levelOf(a) - levelOf(b))) {
  const measured = (['cold', 'hot', 'graph'] as const).map((mode) => findMeasurement(modes, one, mode));
  const times = measured.map((each) => us(levelOf(each)));
  const clocks = measured.map((each) => clockOf(each).toFixed(0));
  const spread = logSpread(one);
  const needed = processesNeeded({ logStandardDeviation: spread, change: 0.03 });
  console.log(
    `| ${one.kernel} | ${times.join(' | ')} | ${clocks.join(', ')} | ${(100 * spread).toFixed(2)} % | ${needed} |`,
  );
}

const fastestByMode = (['cold', 'hot', 'graph'] as const).map((mode) => {
  const measured = modes.measurements.filter((one) => one.mode === mode);
  const fastest = (backend: boolean) =>
    measured
      .filter(({ kernel = '' }) => kernel.startsWith('sdpa-') === backend)
      .sort((a, b) => levelOf(a) - levelOf(b))[0]!;
  const [ours, theirs] = [fastest(false), fastest(true)];
  const compared = compareRows([[theirs, ours]]).get('d64_s512');
  return `${mode} ${ours.kernel} ${speedUp(compared)} over ${theirs.kernel}`;
});

const again = compareRows([
  [
    findMeasurement(shapes, { kernel: 'hopper', case: 'd64_s512' }, 'cold'),
    findMeasurement(modes, { kernel: 'hopper', case: 'd64_s512' }, 'cold'),
  ],
]).get('d64_s512');
console.log(`
The fastest of ours: ${fastestByMode.join('; ')}.

Samples during which the power limit took the clock are left out (${leftOutOf(modes)}).

**A/A.** The Hopper kernel's cold times of this run against those of the first: ${again?.verdict}, ${again?.reason}

The last column is the power analysis: so many processes per side find a change of 3 % nine times out of ten, at the spread between processes that was seen.

## Right, and clean

Every kernel of the table on the 27-shape matrix, edge cases and at least ${fuzzed.kernels[0]?.counts.generated?.passed} generated ones (ragged and prime lengths, huge, tiny, spiked and non-finite values), each compared with the fp64 oracle; and small shapes under compute-sanitizer, for the kernels with a mask one of more tiles than thread blocks.

| kernel | cases | passed | worst error, of the tolerance | clean under |
|---|--:|--:|--:|---|`);
for (const { kernel, counts, worst } of fuzzed.kernels) {
  const total = (of: 'passed' | 'failed') =>
    Object.values(counts).reduce((sum, one) => sum + (one?.[of] ?? 0), 0);
  const clean = sanitized.kernels.filter((one) => one.kernel === kernel && one.state === 'passed');
  console.log(
    `| ${kernel} | ${total('passed') + total('failed')} | ${total('passed')} | ${worst === undefined ? '' : `${(100 * worst.share).toFixed(0)} %`} | ${clean.flatMap(({ sanitizers = [] }) => sanitizers).join(', ')} |`,
  );
}

console.log(`
How the kernels came to these times, what limits them now, and what was tried without success: [the log](h200/attention-log.md).`);

await writeFile(
  join(folder, 'speed.svg'),
  attentionPicture(
    rows.map(({ ours, backends, portable }) => ({
      shape: ours.dims ?? {},
      tflops: {
        ours: rate(ours),
        'mma.sync': portable === undefined ? undefined : rate(portable),
        cuDNN: backends[0] && rate(backends[0]),
        'FlashAttention-2': backends[1] && rate(backends[1]),
      },
    })),
  ),
);

/** What is to be said about the run (notes.txt). */
async function notes(): Promise<string> {
  const path = join(folder ?? '', 'notes.txt');
  return existsSync(path) ? `\n${await readFile(path, 'utf8')}` : '';
}

/** By medians. */
function slowerThanFlash(kernel: 'ours' | 'portable', title: string): string {
  const slow = rows.filter(
    ({ flash, [kernel]: one }) => one !== undefined && flash !== undefined && levelOf(one) > levelOf(flash),
  );
  return slow.length === 0
    ? `${title} is faster than FlashAttention-2 at every shape.`
    : `${title} is slower than FlashAttention-2 at ${slow.map(({ name }) => name).join(', ')}.`;
}

/** `chained graph 329`. */
function leftOutOf({ measurements }: Samples): string {
  return measurements
    .flatMap(({ kernel, mode, series }) => {
      const count = series.reduce((sum, { throttled_ms = [] }) => sum + throttled_ms.length, 0);
      return count === 0 ? [] : `${kernel} ${mode} ${count}`;
    })
    .join(', ');
}

/** Kernels of different names are matched by their case alone: both get the same one. */
function compareRows(pairs: readonly (readonly [Measurement, Measurement])[]): Map<string, CaseComparison> {
  const side = (index: 0 | 1): Samples => ({
    ...shapes,
    measurements: pairs.map((pair) => {
      const { variant: _, ...rest } = pair[index];
      return { ...rest, kernel: 'attention' };
    }),
  });
  return new Map(compareSamples(side(0), side(1)).cases.map((one) => [one.case, one]));
}

function speedUp(one: CaseComparison | undefined): string {
  if (one === undefined || !('ci_pct' in one) || one.ci_pct === undefined || one.speedup === undefined)
    return '';
  const [low, high] = one.ci_pct.map((pct) => 1 / (1 - pct / 100));
  return `**${one.speedup.toFixed(2)}×** (${low!.toFixed(2)} to ${high!.toFixed(2)})`;
}

function samplesFrom(name: string): Promise<Samples> {
  return readSamples(join(folder ?? '', name));
}

async function fuzzReportFrom(name: string): Promise<FuzzReport> {
  return fuzzReportSchema.parse(JSON.parse(await readFile(join(folder ?? '', name), 'utf8')));
}

function rate(one: Measurement): number {
  return (one.operations ?? 0) / levelOf(one) / 1e9;
}

function logSpread(one: Measurement): number {
  return standardDeviation(processMedians(one).map((ms) => Math.log(ms)));
}

function environmentOf({ environment, measurements }: Samples): string {
  return `${environment?.started_at?.slice(0, 10)}, commit ${measurements[0]?.commit?.slice(0, 7) ?? packed}`;
}

function versionOf(name: string): string {
  return shapes.measurements.map(({ versions }) => versions?.[name]).find((text) => text !== undefined) ?? '';
}

function byShape(a: string, b: string): number {
  const key = (name: string) => {
    const [, depth, length, causal] = /^d(\d+)_s(\d+)(_causal)?$/u.exec(name) ?? [];
    return Number(depth) * 1e6 + (causal === undefined ? 0 : 1e5) + Number(length);
  };
  return key(a) - key(b);
}

function shown(path: string): string {
  return relative('docs/results', path);
}

function us(ms: number): string {
  return ms < 1 ? (ms * 1000).toFixed(1) : (ms * 1000).toFixed(0);
}
