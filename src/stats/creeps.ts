import { fitLevel, fitLine, heightAt, type Fitted, type Weighted } from './stretch-fit.ts';
import { studentTTwoSided } from './student-t.ts';

/** Part of a series with one level, or with one drift. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
  readonly kind: 'level' | 'creep';
  readonly fit: Fitted;
}

interface CreepOptions {
  readonly penalty: number;
  readonly maxP: number;
  readonly degrees: number;
}

/** A drift over fewer values cannot be told from a step. */
const LEAST_VALUES = 10;
const ENOUGH_VALUES = 5000;
/** Places where a line over many levels may begin and end. */
const MOST_ENDS = 24;

/**
 * Puts a drift in the place of levels that rise or fall one way where a line is the better account: one that costs no
 * more than the levels with what each of their steps has to gain. A single step names a commit and a drift does not,
 * so against one step the line must be better by half of that; against none its slope must be significant.
 */
export function findCreeps(
  series: Weighted,
  levels: readonly Stretch[],
  options: CreepOptions,
): readonly Stretch[] {
  const found: { first: number; last: number; fit: Fitted; gain: number }[] = [];
  for (const [first, last] of monotoneRuns(levels)) {
    const line = lineInstead(series, levels.slice(first, last + 1), options);
    if (line !== undefined) found.push({ first, last, ...line });
  }
  // The best one first, then the best of those that it leaves room for.
  found.sort((a, b) => b.gain - a.gain || a.first - b.first || a.last - b.last);
  const taken: typeof found = [];
  for (const line of found) {
    if (taken.every(({ first, last }) => line.last < first || last < line.first)) taken.push(line);
  }
  if (taken.length === 0) return levels;
  taken.sort((a, b) => a.first - b.first);
  const stretches: Stretch[] = [];
  let next = 0;
  for (const { first, last, fit } of taken) {
    stretches.push(...levels.slice(next, first), {
      start: levels[first]!.start,
      end: levels[last]!.end,
      kind: 'creep',
      fit,
    });
    next = last + 1;
  }
  return [...stretches, ...levels.slice(next)];
}

/**
 * Runs of neighbouring levels that only rise or only fall; a level alone is one. All of them where they are short; a
 * line over hundreds of levels may begin and end at every so many of them only, since each is fitted.
 */
function* monotoneRuns(levels: readonly Stretch[]): Generator<[first: number, last: number]> {
  const wayTo = (k: number): number => Math.sign(levels[k]!.fit.middle - levels[k - 1]!.fit.middle);
  for (let start = 0; start < levels.length;) {
    let end = start;
    let way = 0;
    while (end + 1 < levels.length && (way === 0 || wayTo(end + 1) === way)) way = wayTo(++end);
    const stride = Math.ceil((end - start + 1) / MOST_ENDS);
    for (let first = start; first <= end; first += stride) {
      for (let last = first; last < end; last += stride) yield [first, last];
      yield [first, end];
    }
    // The level that ends one run begins the next; a series of one level has one.
    start = end === start || end === levels.length - 1 ? end + 1 : end;
  }
}

function lineInstead(
  series: Weighted,
  levels: readonly Stretch[],
  { penalty, maxP, degrees }: CreepOptions,
): { fit: Fitted; gain: number } | undefined {
  const { start } = levels[0]!;
  const { end } = levels.at(-1)!;
  const steps = levels.length - 1;
  if (end - start < LEAST_VALUES) return undefined;
  if (steps > 0 && roughGain(series, levels) + (steps - 1) * penalty < -penalty) return undefined;
  const fit = fitLine(series, start, end, levels[0]!.fit.middle, levels.at(-1)!.fit.middle);
  if (fit.slopeVariance === 0) return undefined;
  if (!(creepP(fit, degrees) <= maxP)) return undefined;
  const cost = levels.reduce((sum, level) => sum + level.fit.cost, 0);
  const gain = cost - fit.cost + Math.max(0, steps - 1) * penalty;
  if (steps === 1 && gain < penalty / 2) return undefined;
  return gain > 0 ? { fit, gain } : undefined;
}

/** What a line would gain, by one value in so many of a long stretch: most lines are far from it. */
function roughGain(series: Weighted, levels: readonly Stretch[]): number {
  const { start } = levels[0]!;
  const { end } = levels.at(-1)!;
  const stride = Math.floor((end - start) / ENOUGH_VALUES);
  if (stride < 2) return Infinity;
  const count = Math.floor((end - start) / stride);
  const thin = (of: Float64Array): Float64Array =>
    Float64Array.from({ length: count }, (_, k) => of[start + k * stride]!);
  const thinned = { ...series, values: thin(series.values), variances: thin(series.variances) };
  const line = fitLine(thinned, 0, count, levels[0]!.fit.middle, levels.at(-1)!.fit.middle);
  const most = series.cutoff ** 2;
  let cost = 0;
  let level = 0;
  for (let k = 0; k < count; k++) {
    while (start + k * stride >= levels[level]!.end) level++;
    const residual = thinned.values[k]! - levels[level]!.fit.middle;
    cost += Math.min(most, residual ** 2 / thinned.variances[k]!);
  }
  return stride * (cost - line.cost);
}

/** A series is searched for steps as well: a drift has half of the chance of being called one falsely. */
export function creepP({ slope, slopeVariance }: Fitted, degrees: number): number {
  return Math.min(1, 2 * studentTTwoSided(slope / Math.sqrt(slopeVariance), degrees));
}

/** The fit of what two neighbouring stretches become when the step between them is dropped. */
export function joined(series: Weighted, left: Stretch, right: Stretch): Stretch {
  const { start } = left;
  const { end } = right;
  if (left.kind === 'level' && right.kind === 'level') {
    return { start, end, kind: 'level', fit: fitLevel(series, start, end) };
  }
  const fit = fitLine(series, start, end, heightAt(left.fit, start), heightAt(right.fit, end - 1));
  return { start, end, kind: 'creep', fit };
}
