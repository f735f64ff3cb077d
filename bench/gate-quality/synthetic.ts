import { normalQuantile } from '../../src/stats/normal.ts';
import type { Random } from '../../src/stats/random.ts';
import type { KnownTruth } from './known-truth.ts';

/**
 * Processes that differ, and samples that differ within them, in ways that real ones were seen to or might: each a
 * stress for another assumption. Spreads are chosen so that ten processes per side are barely enough, for there the
 * error rates of a rule show; with quiet processes every rule is right.
 */
interface Family {
  readonly name: string;
  /** Logarithm of how much slower this process is than the kernel itself. */
  readonly process: (random: Random) => number;
  /** Logarithms of how much slower each sample is than its process. */
  readonly samples: (random: Random, count: number) => number[];
}

const SAMPLES = 100;
const SLOWDOWNS_PCT = [1, 2, 3, 5, 10];

const normal = (random: Random): number => normalQuantile(random.nextOpen());
const exponential = (random: Random): number => -Math.log(random.nextOpen());
const independent =
  (draw: (random: Random) => number) =>
  (random: Random, count: number): number[] =>
    Array.from({ length: count }, () => draw(random));
const quiet = independent((random) => 0.01 * normal(random));

/** Student's t with 3 degrees of freedom: a normal over the root of a mean of three squares. */
function heavy(random: Random): number {
  const squares = normal(random) ** 2 + normal(random) ** 2 + normal(random) ** 2;
  return normal(random) / Math.sqrt(squares / 3);
}

function autoregressive(random: Random, count: number): number[] {
  let state = normal(random);
  return Array.from({ length: count }, () => {
    state = 0.9 * state + Math.sqrt(1 - 0.9 ** 2) * normal(random);
    return 0.02 * state;
  });
}

const FAMILIES: readonly Family[] = [
  { name: 'normal processes', process: (random) => 0.01 * normal(random), samples: quiet },
  { name: 'noisy normal processes', process: (random) => 0.03 * normal(random), samples: quiet },
  { name: 'skewed processes', process: (random) => 0.012 * exponential(random), samples: quiet },
  { name: 'heavy-tailed processes', process: (random) => 0.008 * heavy(random), samples: quiet },
  {
    name: 'a tenth of the processes slow',
    process: (random) => 0.005 * normal(random) + (random.nextOpen() < 0.1 ? 0.2 * exponential(random) : 0),
    samples: quiet,
  },
  {
    name: 'two kinds of processes, 3 % apart',
    process: (random) => 0.003 * normal(random) + (random.nextOpen() < 0.5 ? 0.03 : 0),
    samples: quiet,
  },
  {
    name: 'two kinds of samples, 10 % apart',
    process: (random) => 0.008 * normal(random),
    samples: independent((random) => 0.005 * normal(random) + (random.nextOpen() < 0.4 ? 0.1 : 0)),
  },
  {
    name: 'a tenth of the samples fast by 10 %',
    process: (random) => 0.005 * normal(random),
    samples: independent((random) => 0.005 * normal(random) - (random.nextOpen() < 0.1 ? 0.1 : 0)),
  },
  {
    name: 'samples with autocorrelation .9',
    process: (random) => 0.005 * normal(random),
    samples: autoregressive,
  },
  {
    name: 'samples that drift by up to 5 %',
    process: (random) => 0.005 * normal(random),
    samples: (random, count) => {
      const drift = 0.05 * random.nextOpen();
      return Array.from({ length: count }, (_, i) => (drift * i) / count + 0.005 * normal(random));
    },
  },
];

/**
 * Of the form of a measured file, with one unchanged series a process. A process's series are the same but for the
 * slowdown, so that the truth holds exactly for the processes at hand; no draw has one process on both sides.
 */
export function syntheticTruth(random: Random, processes: number): KnownTruth {
  const series: KnownTruth['series'] = [];
  for (const family of FAMILIES) {
    for (let process = 1; process <= processes; process++) {
      const level = family.process(random);
      const times_ms = family.samples(random, SAMPLES).map((log) => Math.exp(level + log));
      for (const injected_slowdown_pct of [0, ...SLOWDOWNS_PCT]) {
        const samples_ms = times_ms.map((time) => time * (1 + injected_slowdown_pct / 100));
        series.push({ case: family.name, process, injected_slowdown_pct, samples_ms });
      }
    }
  }
  return { series };
}
