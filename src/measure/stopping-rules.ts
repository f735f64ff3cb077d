/**
 * When a series has enough samples. A rule sees the samples so far and names its reason to stop; between
 * `least` and `most` samples it decides, outside of them it is not asked.
 */
export interface StoppingRule {
  readonly least: number;
  readonly most: number;
  /** The reason to stop now, or undefined to go on. */
  readonly decide: (samples_ms: readonly number[]) => string | undefined;
}

/** Relative half-width of the median's 95 % interval at which more samples of one process tell nothing new. */
const PRECISION = 0.0025;

/** nvbench `stdrel`: relative standard deviation below 0.5 %. */
const STDREL = 0.005;

/** nvbench `entropy`: stop when the entropy of the samples has levelled off. */
const ENTROPY_WINDOW = 64;
const ENTROPY_SLOPE = 0.001;

export const STOPPING_RULES = {
  /** Exactly the number asked for. */
  fixed: (samples: number): StoppingRule => ({
    least: samples,
    most: samples,
    decide: () => 'fixed',
  }),

  /** From a quarter of the number asked for to four times it: until the median is known to ± 0.25 %. */
  precision: (samples: number): StoppingRule => ({
    least: Math.max(10, Math.ceil(samples / 4)),
    most: samples * 4,
    decide: (taken) => (medianHalfWidth(taken) <= PRECISION ? 'precision' : undefined),
  }),

  /** Until the relative standard deviation falls below 0.5 %, at most four times the number asked for. */
  stdrel: (samples: number): StoppingRule => ({
    least: Math.max(10, Math.ceil(samples / 4)),
    most: samples * 4,
    decide: (taken) => (relativeDeviation(taken) < STDREL ? 'stdrel' : undefined),
  }),

  /** Until new samples no longer change the shape of the distribution. */
  entropy: (samples: number): StoppingRule => ({
    least: Math.max(ENTROPY_WINDOW, Math.ceil(samples / 2)),
    most: samples * 4,
    decide: (taken) => (entropySlope(taken) < ENTROPY_SLOPE ? 'entropy' : undefined),
  }),
} as const satisfies Record<string, (samples: number) => StoppingRule>;

export type StoppingRuleName = keyof typeof STOPPING_RULES;

/**
 * Half-width of the distribution-free 95 % interval of the median (order statistics n/2 ± 0.98·√n; Conover,
 * Practical Nonparametric Statistics, 3.2) relative to the median, for the effective sample size
 * n·(1−ρ)/(1+ρ) with ρ the lag-1 autocorrelation: consecutive samples of one process resemble each other.
 */
function medianHalfWidth(samples_ms: readonly number[]): number {
  const sorted = Float64Array.from(samples_ms).sort();
  const n = sorted.length;
  const rho = Math.max(0, lagOneAutocorrelation(samples_ms));
  const effective = Math.max(1, (n * (1 - rho)) / (1 + rho));
  const reach = (0.98 / Math.sqrt(effective)) * n;
  const low = sorted[Math.max(0, Math.floor(n / 2 - reach))] ?? 0;
  const high = sorted[Math.min(n - 1, Math.ceil(n / 2 + reach))] ?? Infinity;
  const middle = sorted[Math.floor(n / 2)] ?? 0;
  return (high - low) / 2 / middle;
}

function lagOneAutocorrelation(samples_ms: readonly number[]): number {
  const mean = meanOf(samples_ms);
  let numerator = 0;
  let denominator = 0;
  let previous: number | undefined;
  for (const sample of samples_ms) {
    denominator += (sample - mean) ** 2;
    if (previous !== undefined) numerator += (sample - mean) * (previous - mean);
    previous = sample;
  }
  return denominator === 0 ? 0 : numerator / denominator;
}

function relativeDeviation(samples_ms: readonly number[]): number {
  const mean = meanOf(samples_ms);
  const squares = samples_ms.reduce((sum, sample) => sum + (sample - mean) ** 2, 0);
  return Math.sqrt(squares / Math.max(1, samples_ms.length - 1)) / mean;
}

/** Mean change of the entropy, in bits a sample, over the last window. */
function entropySlope(samples_ms: readonly number[]): number {
  const now = entropyBits(samples_ms);
  const before = entropyBits(samples_ms.slice(0, -ENTROPY_WINDOW / 2));
  return Math.abs(now - before) / (ENTROPY_WINDOW / 2);
}

/** Shannon entropy of the samples rounded to 0.1 % of their first value. */
function entropyBits(samples_ms: readonly number[]): number {
  const step = (samples_ms[0] ?? 1) / 1000;
  const counts = new Map<number, number>();
  for (const sample of samples_ms) {
    const bin = Math.round(sample / step);
    counts.set(bin, (counts.get(bin) ?? 0) + 1);
  }
  let bits = 0;
  for (const count of counts.values()) {
    const share = count / samples_ms.length;
    bits -= share * Math.log2(share);
  }
  return bits;
}

function meanOf(samples_ms: readonly number[]): number {
  return samples_ms.reduce((sum, sample) => sum + sample, 0) / samples_ms.length;
}
