/**
 * How long it takes until a search can start on a large space: counting it, 1,000 draws from it, and what one
 * `contains` and one `neighbours` cost. Each space in a process of its own, for its peak memory. Prints Markdown.
 *
 *   npx tsc -p tsconfig.bench.json && node .bench/bench/space-enumeration.js
 */
import { spawnSync } from 'node:child_process';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

import { Expression } from '../src/config/expression/expression.ts';
import { Xoshiro128 } from '../src/stats/index.ts';
import { createSpace } from '../src/tune/space/create-space.ts';
import { countText } from '../src/tune/space/space-extent.ts';
import type { Parameter } from '../src/tune/space/space.ts';

const DRAWS = 1000;
const CALLS = 20_000;

interface Shape {
  readonly parameters: readonly Parameter[];
  readonly constraints: readonly string[];
}

const powers = Array.from({ length: 10 }, (_, index) => 2 ** index);
const steps = Array.from({ length: 10 }, (_, index) => index + 1);
const names = (count: number) => Array.from({ length: count }, (_, index) => `P${index}`);
const ordered = (count: number, values: readonly number[]) =>
  names(count).map((name): Parameter => ({ name, kind: 'ordered', values }));

const SHAPES: Readonly<Record<string, Shape>> = {
  'no constraint, 10^12': { parameters: ordered(12, steps), constraints: [] },
  'many small: each divides the next but one': {
    parameters: ordered(9, steps),
    constraints: names(7).map((name, index) => `P${index + 2} % ${name} == 0`),
  },
  'a chain: neighbours differ by at most one': {
    parameters: ordered(9, steps),
    constraints: names(8).map((name, index) => `abs(P${index + 1} - ${name}) <= 1`),
  },
  'every pair: none may be equal': {
    parameters: ordered(9, steps),
    constraints: names(9).flatMap((name, index) =>
      names(9)
        .slice(index + 1)
        .map((other) => `${name} != ${other}`),
    ),
  },
  'one over all: a product': {
    parameters: ordered(9, powers),
    constraints: [`${names(9).join(' * ')} <= 2 ** 17`],
  },
  'one over all: a sum of products': {
    parameters: ordered(9, steps),
    constraints: ['P0 * P1 * P2 + P3 * P4 * P5 + P6 * P7 * P8 <= 48'],
  },
  'one over all: a remainder of a sum of squares': {
    parameters: ordered(9, steps),
    constraints: [
      `(${names(9)
        .map((name) => `${name} ** 2`)
        .join(' + ')}) % 397 == 0`,
    ],
  },
  'one over all that defies reasoning': {
    parameters: ordered(9, steps),
    constraints: [
      '(P0 * 3.1 + P1 / 7) ** 2 % (P2 + 0.7 * P3) * (P4 / 3 + P5 ** 1.5) % (P6 + P7 / 9 + P8 * 1.3) < 0.01',
    ],
  },
  'an attention kernel: tiles, warps, stages, memory, registers': {
    parameters: [
      ...['BM', 'BN', 'BK'].map((name): Parameter => ({
        name,
        kind: 'ordered',
        values: Array.from({ length: 32 }, (_, index) => 16 * (index + 1)),
      })),
      { name: 'WARPS', kind: 'ordered', values: [1, 2, 4, 8, 16] },
      { name: 'STAGES', kind: 'ordered', values: steps },
      { name: 'UNROLL', kind: 'ordered', values: [1, 2, 4, 8] },
      { name: 'SPLIT', kind: 'ordered', values: [1, 2, 4, 8, 16] },
      ...['SWIZZLE', 'ASYNC', 'ORDERED'].map((name): Parameter => ({
        name,
        kind: 'ordered',
        values: [0, 1],
      })),
    ],
    constraints: [
      'BM % (16 * WARPS) == 0',
      '128 % BK == 0',
      '2 * (BM * 128 + 2 * STAGES * BN * 128) * (1 + (1 - SWIZZLE) / 16) <= 232448',
      'BM // WARPS // 16 * (BN // 2 + 48) <= 176',
      'STAGES == 1 or ASYNC == 1',
      'SPLIT == 1 or ORDERED == 0',
    ],
  },
};

const [wanted] = process.argv.slice(2);
if (wanted === undefined) report();
else measure(SHAPES[wanted]!);

function measure({ parameters, constraints }: Shape): void {
  const expressions = constraints.map((source) => Expression.parse(source));
  const start = performance.now();
  const space = createSpace({ parameters, constraints: expressions });
  const counted = performance.now();
  const points = space.sample(DRAWS, new Xoshiro128(1));
  const drawn = performance.now();
  if (points.length === 0) throw new Error(`no point found: ${JSON.stringify(space.extent)}`);
  for (let call = 0; call < CALLS; call++) space.contains(points[call % points.length]!);
  const contained = performance.now();
  for (let call = 0; call < CALLS / 20; call++) space.neighbours(points[call % points.length]!, 'any');
  const neighboured = performance.now();
  const { feasible, product } = space.extent;
  const text =
    'exact' in feasible
      ? countText(feasible.exact)
      : `≈ ${countText(feasible.estimate)} (${countText(feasible.low)} to ${countText(feasible.high)})`;
  const share = ('exact' in feasible ? feasible.exact : feasible.estimate) / product;
  console.log(
    [
      countText(product),
      text,
      `${share > 0.1 ? (100 * share).toFixed(0) : (100 * share).toPrecision(2)} %`,
      `${((counted - start) / 1000).toFixed(2)} s`,
      `${((drawn - counted) / 1000).toFixed(2)} s (${points.length})`,
      `${((1000 * (contained - drawn)) / CALLS).toFixed(1)} µs`,
      `${((1000 * (neighboured - contained)) / (CALLS / 20)).toFixed(0)} µs`,
      `${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MiB`,
    ].join(' | '),
  );
}

function report(): void {
  const rows = Object.keys(SHAPES).map((name) => {
    const run = spawnSync(process.execPath, [fileURLToPath(import.meta.url), name], { encoding: 'utf8' });
    if (run.status !== 0) throw new Error(`${name}: ${run.stderr}`);
    return `| ${name} | ${run.stdout.trim()} |`;
  });
  console.log(`# How long until a search can start on a large space

${cpus()[0]?.model ?? 'unknown CPU'}, ${availableParallelism()} CPUs, Node ${process.versions.node}; ${new Date().toISOString()}; \`npx tsc -p tsconfig.bench.json && node .bench/bench/space-enumeration.js\`. An estimate has its 95 % interval. Load average ${loadavg()[0]!.toFixed(1)}.

| space | combinations | feasible | share | counted in | ${DRAWS} draws (got) | \`contains\` | \`neighbours\` | peak memory |
|---|--:|--:|--:|--:|--:|--:|--:|--:|
${rows.join('\n')}`);
}
