import { energySplit } from './energy-split.ts';
import { finiteCopy } from './order.ts';
import { nextBelow, Xoshiro128 } from './random.ts';
import { moments } from './summary.ts';
import { windowedChangePoints } from './windowed-change-points.ts';

export interface ChangePointOptions {
  /**
   * `permutation`: E-divisive means with Matteson & James's permutation test, whose p allows for the split having
   * been searched for. `windowed-t`: the deterministic procedure of Hunter, now Apache Otava: splits within sliding
   * windows by t tests, then removal of the weakest. It scales to long histories, and finds more than its p says.
   */
  readonly method?: 'permutation' | 'windowed-t';
  readonly maxP?: number;
  /** Permutations a candidate is tested with; p is at least 1/(permutations + 1). */
  readonly permutations?: number;
  readonly seed?: number | bigint;
  /** `windowed-t`: values in a window. */
  readonly window?: number;
  /** `windowed-t`: the least relative change of the mean, as a fraction. */
  readonly minMagnitude?: number;
}

export interface ChangePoint {
  /** The first value after the change. */
  readonly index: number;
  readonly p: number;
  /** Means of the stretches before and after, up to the neighbouring change points. */
  readonly before: number;
  readonly after: number;
}

const DEFAULTS = {
  method: 'permutation',
  maxP: 0.01,
  permutations: 999,
  seed: 42,
  window: 50,
  minMagnitude: 0,
} as const;

/**
 * Where the level of a series changed, in ascending order (Matteson & James, JASA 109(505), 2014; Fleming,
 * Kołaczkowski and others, "Hunter: using change point detection to hunt for performance regressions", ICPE 2023).
 * Quadratic in the number of values for each permutation.
 */
export function changePoints(values: ArrayLike<number>, options: ChangePointOptions = {}): ChangePoint[] {
  const all = checked({ ...DEFAULTS, ...options });
  const series = finiteCopy(values);
  const found = all.method === 'permutation' ? divisive(series, all) : windowedChangePoints(series, all);
  return found.map(({ index, p }, place) => ({
    index,
    p,
    before: moments(series.subarray(found[place - 1]?.index ?? 0, index)).mean,
    after: moments(series.subarray(index, found[place + 1]?.index ?? series.length)).mean,
  }));
}

/** Splits the series where it differs most, as long as chance rarely differs as much. */
function divisive(
  series: Float64Array,
  options: Required<ChangePointOptions>,
): { index: number; p: number }[] {
  const random = new Xoshiro128(options.seed);
  const found: { index: number; p: number }[] = [];
  for (;;) {
    const edges = [0, ...found.map(({ index }) => index), series.length];
    const candidate = bestSplit(series, edges);
    if (candidate === undefined) return found;
    const p = splitProbability(series, edges, candidate.distance, random, options);
    if (p === undefined) return found;
    found.push({ index: candidate.index, p });
    found.sort((a, b) => a.index - b.index);
  }
}

function bestSplit(
  series: Float64Array,
  edges: readonly number[],
): { index: number; distance: number } | undefined {
  let best: { index: number; distance: number } | undefined;
  for (let k = 1; k < edges.length; k++) {
    const split = energySplit(series, edges[k - 1]!, edges[k]!);
    if (split !== undefined && (best === undefined || split.distance > best.distance)) best = split;
  }
  return best;
}

/**
 * The share of series, shuffled within each stretch, whose best split is as good, the observed one among them;
 * undefined as soon as it is bound to exceed `maxP`, which doesn't change any decision.
 */
function splitProbability(
  series: Float64Array,
  edges: readonly number[],
  observed: number,
  random: Xoshiro128,
  { permutations, maxP }: Required<ChangePointOptions>,
): number | undefined {
  const shuffled = series.slice();
  let asGood = 1;
  for (let i = 0; i < permutations; i++) {
    if (asGood > maxP * (permutations + 1)) return undefined;
    for (let k = 1; k < edges.length; k++) shuffle(shuffled, edges[k - 1]!, edges[k]!, random);
    // Sums in another order: equal up to rounding is as good.
    if (bestSplit(shuffled, edges)!.distance >= observed * (1 - 1e-12)) asGood++;
  }
  const p = asGood / (permutations + 1);
  return p <= maxP ? p : undefined;
}

/** Fisher-Yates (Durstenfeld, "Algorithm 235", CACM 7(7), 1964) on values[start, end). */
function shuffle(values: Float64Array, start: number, end: number, random: Xoshiro128): void {
  for (let last = end - 1; last > start; last--) {
    const other = start + nextBelow(random, last - start + 1);
    const swap = values[last]!;
    values[last] = values[other]!;
    values[other] = swap;
  }
}

function checked(options: Required<ChangePointOptions>): Required<ChangePointOptions> {
  const { maxP, permutations, window, minMagnitude } = options;
  if (!(maxP > 0 && maxP < 1)) throw new RangeError(`maxP lies between 0 and 1, not at ${maxP}`);
  if (!Number.isSafeInteger(permutations) || permutations < 1) {
    throw new RangeError(`permutations is a whole number of at least 1, not ${permutations}`);
  }
  if (options.method === 'permutation' && 1 / (permutations + 1) > maxP) {
    throw new RangeError(
      `${permutations} permutations cannot show a p of ${maxP}: it takes ${Math.ceil(1 / maxP) - 1}`,
    );
  }
  if (!Number.isSafeInteger(window) || window < 2) {
    throw new RangeError(`a window is a whole number of at least 2, not ${window}`);
  }
  if (!(minMagnitude >= 0)) throw new RangeError(`minMagnitude is at least 0, not ${minMagnitude}`);
  return options;
}
