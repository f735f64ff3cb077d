import type { StoppingRule } from '../../measure/stopping-rules.ts';
import { bootstrapMedian } from '../../stats/index.ts';

/** What ends a series early because its variant cannot win. */
export const HOPELESS = 'hopeless';

/**
 * A variant is given up when even its fastest sample is slower than the best time so far by this factor. On the
 * devices of docs/results, processes of one binary differ by a few percent and at most by a fifth, where a process
 * falls into a slow mode; so a variant that is faster than the best would have to have all of its first samples in a
 * mode slower than any that was seen.
 */
const HOPELESS_FACTOR = 1.25;

/** One lucky sample among few must not be missing: with ten, the fastest is near what the kernel itself takes. */
const HOPELESS_LEAST = 10;

/** A search needs to tell variants apart, not to weigh them: half a percent is finer than processes differ. */
const PRECISION = 0.005;

/** Few samples: until the median is known, or the variant has no chance, or there are as many as asked for. */
export function trialRule(samples: number, incumbent_ms: number | undefined): StoppingRule {
  return {
    least: Math.min(HOPELESS_LEAST, samples),
    most: samples,
    decide: (taken) => {
      if (isHopeless(taken, incumbent_ms)) return HOPELESS;
      return isPrecise(taken) ? 'precision' : undefined;
    },
  };
}

/** Whether the samples of a variant rule out that it is faster than the best so far. */
export function isHopeless(samples_ms: readonly number[], incumbent_ms: number | undefined): boolean {
  if (incumbent_ms === undefined || samples_ms.length < HOPELESS_LEAST) return false;
  return Math.min(...samples_ms) > HOPELESS_FACTOR * incumbent_ms;
}

function isPrecise(samples_ms: readonly number[]): boolean {
  const { low, high, median } = bootstrapMedian(samples_ms);
  return (high - low) / 2 <= PRECISION * median;
}
