/**
 * `pawl/stats` beside SciPy on the same samples, on this machine, one after the other in one run. Prints Markdown.
 *
 *     npx tsc -p tsconfig.bench.json && node .bench/bench/stats-speed.js [python]
 *
 * Needs a Python with SciPy (Debian: python3-scipy); by default /usr/bin/python3. Each time is the median over rounds,
 * and a round takes several different samples in turn, so that no branch predictor learns one by heart.
 */
import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';

import {
  bootstrapMedian,
  cliffsDelta,
  mannWhitneyU,
  median,
  normalQuantile,
  Xoshiro128,
} from '../src/stats/index.ts';

interface Timed {
  readonly seconds: number;
  readonly result: readonly number[];
}

type Peer = { readonly versions: string } & Readonly<
  Record<
    'bootstrapMedian' | 'mannWhitney' | 'deltaByMannWhitney' | 'deltaByAllPairs' | 'deltaBySearch',
    Timed
  >
>;

/** Timings-like samples: lognormal, 5 % spread, the second of each pair 1 % slower. */
function draw(count: number, arrays: number, random: Xoshiro128): Float64Array[] {
  return Array.from({ length: arrays }, (_, index) =>
    Float64Array.from({ length: count }, () =>
      Math.exp(0.05 * normalQuantile(random.nextOpen()) + 0.01 * (index % 2)),
    ),
  );
}

function inPairs(arrays: readonly Float64Array[]): (readonly [Float64Array, Float64Array])[] {
  return arrays.filter((_, i) => i % 2 === 0).map((first, i) => [first, arrays[2 * i + 1]!]);
}

/** The same measure as in stats_speed_peer.py. */
function timed<T>(run: (input: T) => readonly number[], inputs: readonly T[], atLeast_s = 1): Timed {
  const result = run(inputs[0]!);
  const times: number[] = [];
  const end = performance.now() + atLeast_s * 1e3;
  while (times.length < 5 || performance.now() < end) {
    const start = performance.now();
    for (const input of inputs) run(input);
    times.push((performance.now() - start) / inputs.length / 1e3);
  }
  return { seconds: median(times), result };
}

function readable(seconds: number): string {
  return seconds < 1e-3 ? `${(seconds * 1e6).toFixed(1)} µs` : `${(seconds * 1e3).toFixed(2)} ms`;
}

function row(
  what: string,
  ours: Timed,
  peerName: string,
  peer: Timed,
  target: string,
  agreement: string,
): string {
  const ratio = peer.seconds / ours.seconds;
  const cells = [
    what,
    readable(ours.seconds),
    peerName,
    readable(peer.seconds),
    `${ratio.toFixed(1)}×`,
    target,
  ];
  return `| ${[...cells, agreement].join(' | ')} |`;
}

/** The largest relative difference between two results. */
function apart(ours: Timed, peer: Timed): string {
  const worst = Math.max(
    ...ours.result.map((value, i) => Math.abs(value - peer.result[i]!) / Math.max(Math.abs(value), 1e-300)),
  );
  return worst === 0 ? 'equal' : `equal to ${worst.toExponential(0)}`;
}

/** Both ends of two intervals, how far apart, in percent of the interval's width. */
function endsApart(ours: Timed, peer: Timed): string {
  const [low, high] = ours.result as [number, number];
  const [otherLow, otherHigh] = peer.result as [number, number];
  const share = Math.max(Math.abs(low - otherLow), Math.abs(high - otherHigh)) / (high - low);
  return `ends within ${(100 * share).toFixed(1)} % of the width`;
}

const random = new Xoshiro128(42);
const samples = {
  n100: draw(100, 16, random),
  n1000: draw(1_000, 32, random),
  n10000: draw(10_000, 8, random),
};
const python = process.argv[2] ?? '/usr/bin/python3';
const child = spawnSync(python, ['bench/stats_speed_peer.py'], {
  input: JSON.stringify(
    Object.fromEntries(
      Object.entries(samples).map(([name, arrays]) => [name, arrays.map((array) => [...array])]),
    ),
  ),
  encoding: 'utf8',
  maxBuffer: 2 ** 26,
  stdio: ['pipe', 'pipe', 'inherit'],
});
if (child.status !== 0) throw new Error(`${python} bench/stats_speed_peer.py failed; is SciPy there?`);
const peer = JSON.parse(child.stdout) as Peer;

const exact = timed((x: Float64Array) => {
  const { low, high } = bootstrapMedian(x);
  return [low, high];
}, samples.n100);
const sampled = timed((x: Float64Array) => {
  const { low, high } = bootstrapMedian(x, { method: 'sampled' });
  return [low, high];
}, samples.n100);
const whitney = timed(([x, y]: readonly [Float64Array, Float64Array]) => {
  const { u, p } = mannWhitneyU(x, y);
  return [u, p];
}, inPairs(samples.n1000));
const delta = timed(
  ([x, y]: readonly [Float64Array, Float64Array]) => [cliffsDelta(x, y)],
  inPairs(samples.n10000),
);

console.log(`${cpus()[0]?.model ?? 'unknown CPU'}; Node ${process.versions.node}; ${peer.versions}\n`);
console.log('| what | Pawl | peer | peer’s time | ratio | target | results |');
console.log('| --- | ---: | --- | ---: | ---: | ---: | --- |');
const resampling = 'scipy.stats.bootstrap, percentile, vectorized';
console.log(
  row(
    'bootstrap interval of the median, n = 100, exact',
    exact,
    resampling,
    peer.bootstrapMedian,
    '≥ 50×',
    endsApart(exact, peer.bootstrapMedian),
  ),
);
console.log(
  row(
    'the same by 10,000 resamples',
    sampled,
    resampling,
    peer.bootstrapMedian,
    '—',
    endsApart(sampled, peer.bootstrapMedian),
  ),
);
console.log(
  row(
    'Mann-Whitney U, n = m = 1,000',
    whitney,
    'scipy.stats.mannwhitneyu, asymptotic',
    peer.mannWhitney,
    '≥ 10×',
    apart(whitney, peer.mannWhitney),
  ),
);
console.log(
  row(
    'Cliff’s δ, n = m = 10,000',
    delta,
    'scipy.stats.mannwhitneyu, 2U/nm − 1',
    peer.deltaByMannWhitney,
    '≥ 10×',
    apart(delta, peer.deltaByMannWhitney),
  ),
);
console.log(
  row(
    '',
    delta,
    'NumPy, sign of all differences',
    peer.deltaByAllPairs,
    '≥ 10×',
    apart(delta, peer.deltaByAllPairs),
  ),
);
console.log(
  row(
    '',
    delta,
    'NumPy, sort and searchsorted by hand',
    peer.deltaBySearch,
    '—',
    apart(delta, peer.deltaBySearch),
  ),
);
