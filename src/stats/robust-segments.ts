import { quantile } from './quantile.ts';

export interface RobustSegmentsOptions {
  /** What a further level costs, in squared standard deviations. */
  readonly penalty: number;
  /** How many standard deviations a value counts for at most. */
  readonly cutoff: number;
}

/** The grid's spacing in standard deviations: a level off by half of it costs a value a hundredth at most. */
const SPACING = 0.2;
/** The grid is as fine as the better ones of the values deserve. */
const PRECISE = 0.1;
/** A series that jumps by more than this many spacings is fitted on a coarser grid. */
const MOST_LEVELS = 16_384;
/** And so is a long one: values × levels take about a nanosecond each. */
const MOST_WORK = 2e9;
const LEAST_LEVELS = 256;

export interface RobustSegments {
  /** Where the levels begin, 0 first. */
  readonly starts: readonly number[];
  /** Of values and levels together, in squared standard deviations. */
  readonly cost: number;
}

/**
 * Where the levels of a series begin: the piecewise-constant series of least total cost, where a value costs
 * its squared distance in standard deviations, but never more than `cutoff`², and every level but the first costs
 * `penalty` (Fearnhead & Rigaill, "Changepoint detection in the presence of outliers", JASA 114(525), 2019: the
 * biweight loss). A lone wild value costs less than two changes, so it is none. Found by dynamic programming over a
 * grid of levels near the values: linear in values × levels.
 */
export function robustSegments(
  values: Float64Array,
  variances: Float64Array,
  { penalty, cutoff }: RobustSegmentsOptions,
): RobustSegments {
  const levels = levelGrid(values, variances, cutoff);
  const most = cutoff ** 2;
  const costs = new Float64Array(levels.length);
  // Where the level under way began, by grid place, and where the best one began, by value.
  const since = new Int32Array(levels.length);
  const begins = new Int32Array(values.length);
  let best = -penalty;
  for (let at = 0; at < values.length; at++) {
    const value = values[at]!;
    const inverse = 1 / variances[at]!;
    const opened = best + penalty;
    best = Infinity;
    for (let place = 0; place < levels.length; place++) {
      let cost = costs[place]!;
      // At the first value `costs` is 0 everywhere, as is `opened`.
      if (opened < cost) {
        cost = opened;
        since[place] = at;
      }
      const distance = value - levels[place]!;
      const loss = distance * distance * inverse;
      cost += loss < most ? loss : most;
      costs[place] = cost;
      if (cost < best) {
        best = cost;
        begins[at] = since[place]!;
      }
    }
  }
  return { starts: startsOf(begins), cost: best };
}

/** Back from the end: `begins` tells, for each value, where the level that is best up to it began. */
export function startsOf(begins: Int32Array): number[] {
  const found: number[] = [];
  for (let end = begins.length; end > 0; end = found.at(-1)!) found.push(begins[end - 1]!);
  return found.reverse();
}

/** Levels that any value could speak for. */
export function levelGrid(values: Float64Array, variances: Float64Array, cutoff: number): Float64Array {
  const deviation = Math.sqrt(quantile(variances, PRECISE));
  const ascending = values.slice().sort();
  const low = ascending[0]!;
  const range = ascending[ascending.length - 1]! - low;
  const most = Math.max(LEAST_LEVELS, Math.min(MOST_LEVELS, Math.floor(MOST_WORK / values.length)));
  const spacing = Math.max(SPACING * deviation, range / most);
  const reach = Math.ceil(cutoff * (deviation / spacing));
  const places: number[] = [];
  let next = 0;
  for (const value of ascending) {
    const place = Math.round((value - low) / spacing);
    for (next = Math.max(next, place - reach); next <= place + reach; next++) places.push(next);
  }
  return Float64Array.from(places, (place) => low + place * spacing);
}
