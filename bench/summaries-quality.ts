/**
 * How often a comparison from summaries alone is wrong, on processes whose truth is known: `summaries-quality
 * [--draws 400] [--seed 1]`. Prints Markdown for docs/results/summaries.md.
 */
import { parseArgs } from 'node:util';

import { compareSamples } from '../src/judge/compare-measurements.ts';
import type { Measurement, Samples, SeriesSummary } from '../src/model/measure/samples.ts';
import { normalQuantile } from '../src/stats/normal.ts';
import { Xoshiro128, type Random } from '../src/stats/random.ts';
import { mean, standardDeviation } from '../src/stats/summary.ts';
import { table } from './gate-quality/markdown.ts';

const { values } = parseArgs({
  options: { draws: { type: 'string', default: '400' }, seed: { type: 'string', default: '1' } },
});
const DRAWS = Number(values.draws);

/** How processes differ, and how the samples of one do. */
interface Noise {
  readonly name: string;
  readonly process: (random: Random) => number;
  /** Logarithms about the process's level. */
  readonly samples: (random: Random, count: number) => number[];
}

const normal = (random: Random): number => normalQuantile(random.nextOpen());
const t3 = (random: Random): number =>
  normal(random) / Math.sqrt((normal(random) ** 2 + normal(random) ** 2 + normal(random) ** 2) / 3);
/** A first-order autoregression. */
const alike =
  (phi: number, scale: number, draw: (random: Random) => number) =>
  (random: Random, count: number): number[] => {
    let last = draw(random);
    return Array.from({ length: count }, () => {
      last = phi * last + Math.sqrt(1 - phi ** 2) * draw(random);
      return scale * last;
    });
  };

const NOISES: readonly Noise[] = [
  {
    name: 'quiet: processes 1 %, samples 2 %',
    process: (r) => 0.01 * normal(r),
    samples: alike(0, 0.02, normal),
  },
  { name: 'processes 5 %', process: (r) => 0.05 * normal(r), samples: alike(0, 0.05, normal) },
  { name: 'processes 5 %, heavy tails (t₃)', process: (r) => 0.05 * t3(r), samples: alike(0, 0.1, t3) },
  {
    name: 'neighbours alike (φ = 0.95), samples 20 %',
    process: (r) => 0.02 * normal(r),
    samples: alike(0.95, 0.2, normal),
  },
  {
    name: 'two modes of processes, 30 % apart',
    process: (r) => (r.nextOpen() < 0.3 ? 0.26 : 0),
    samples: alike(0, 0.02, normal),
  },
  {
    name: 'one sample in 50 takes 50 times as long',
    process: (r) => 0.02 * normal(r),
    samples: (r, count) =>
      Array.from({ length: count }, () => 0.02 * normal(r) + (r.nextOpen() < 0.02 ? Math.log(50) : 0)),
  },
];
const CHANGES = [1, 1.03, 1.5, 4, 10];
const DESIGNS = [
  { processes: 1, cases: 1 },
  { processes: 1, cases: 88 },
  { processes: 5, cases: 1 },
] as const;

for (const { processes, cases } of DESIGNS) {
  console.log(
    `\n${processes} process${processes === 1 ? '' : 'es'} per side, ${cases} case${cases === 1 ? '' : 's'} at once:\n`,
  );
  const header = [
    'noise',
    ...CHANGES.map((one) =>
      one === 1 ? 'unchanged: called slower, faster' : `${one} ×: slower; maintained`,
    ),
  ];
  const rows = NOISES.map((noise) =>
    [noise.name].concat(CHANGES.map((change) => rateOf(noise, change, processes, cases))),
  );
  console.log(table(header, rows).join('\n'));
}

function rateOf(noise: Noise, change: number, processes: number, cases: number): string {
  const random = new Xoshiro128(Number(values.seed));
  const found = { regressed: 0, improved: 0, maintained: 0 };
  const looks = Math.max(1, Math.ceil(DRAWS / cases));
  for (let look = 0; look < looks; look++) {
    const { cases: judged } = compareSamples(
      samplesOf(noise, 1, processes, cases, random),
      samplesOf(noise, change, processes, cases, random),
    );
    for (const { verdict } of judged) if (verdict in found) found[verdict as keyof typeof found]++;
  }
  const share = (count: number): string => ((100 * count) / (looks * cases)).toFixed(1);
  return change === 1
    ? `${share(found.regressed)}, ${share(found.improved)}`
    : `${share(found.regressed)}; ${share(found.maintained)}`;
}

function samplesOf(noise: Noise, factor: number, processes: number, cases: number, random: Random): Samples {
  const measurements = Array.from({ length: cases }, (_, at): Measurement => ({
    case: `case ${at}`,
    series: [],
    summaries: Array.from({ length: processes }, (__, process) =>
      summaryOf(noise, factor, process + 1, random),
    ),
  }));
  return { schema: 'pawl.samples/1', device: { name: 'a device' }, measurements };
}

/** As nvbench's default output states it: mean, deviation and count. */
function summaryOf(noise: Noise, factor: number, process: number, random: Random): SeriesSummary {
  const level = Math.log(factor) + noise.process(random);
  const times = noise.samples(random, 100).map((one) => Math.exp(level + one));
  return { process, mean_ms: mean(times), stddev_ms: standardDeviation(times), samples: times.length };
}
