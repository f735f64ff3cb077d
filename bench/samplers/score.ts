/**
 * The aggregate performance score of Willemsen et al., "A methodology for comparing auto-tuning optimization algorithms"
 * (Future Generation Computer Systems 159, 2024), on an axis of trials.
 */

/** The score starts where random search has seen something. */
const FIRST_TRIAL = 6;

/** A space's known times; `failing` variants have none. */
export interface KnownTimes {
  readonly sorted_ms: Float64Array;
  readonly failing: number;
}

export function knownTimes(times_ms: readonly (number | undefined)[]): KnownTimes {
  const sorted_ms = Float64Array.from(times_ms.filter((time) => time !== undefined)).sort();
  return { sorted_ms, failing: times_ms.length - sorted_ms.length };
}

/**
 * The expected best time after 1, 2, … uniform draws without replacement, given that one of them ran: the i-th best of
 * N is the best of n draws with probability C(N − 1 − i, n − 1) / C(N, n).
 */
export function randomSearch({ sorted_ms, failing }: KnownTimes, trials: number): Float64Array {
  const count = sorted_ms.length + failing;
  return Float64Array.from({ length: trials }, (_, index) => {
    const draws = Math.min(index + 1, count);
    let probability = draws / count;
    let expected = 0;
    let total = 0;
    for (const [rank, time] of sorted_ms.entries()) {
      expected += probability * time;
      total += probability;
      probability *= (count - rank - draws) / (count - 1 - rank);
      if (probability <= 0) break;
    }
    return expected / total;
  });
}

/** Mean best time after each trial. A search without any time yet counts as the slowest variant. */
export function meanBest(
  runs: readonly (readonly (number | null)[])[],
  { sorted_ms }: KnownTimes,
  trials: number,
): Float64Array {
  const slowest = sorted_ms.at(-1)!;
  return Float64Array.from({ length: trials }, (_, index) => {
    // A space tried to its end stays at its optimum.
    const sum = runs.reduce((total, run) => total + (run[Math.min(index, run.length - 1)] ?? slowest), 0);
    return sum / runs.length;
  });
}

/** 0 is random search, 1 the optimum from the start. */
export function performance(
  best: Float64Array,
  random: Float64Array,
  optimum_ms: number,
  budget: number,
): number {
  let sum = 0;
  for (let trial = FIRST_TRIAL; trial <= budget; trial++) {
    const reference = random[trial - 1]! - optimum_ms;
    // Where random search is expected to have found the optimum, there is nothing left to win or lose.
    sum += reference > 0 ? (random[trial - 1]! - best[trial - 1]!) / reference : 1;
  }
  return sum / (budget - FIRST_TRIAL + 1);
}
