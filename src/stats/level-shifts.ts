import { creepP, findCreeps, joined, type Stretch } from './creeps.ts';
import { finiteCopy } from './order.ts';
import { median } from './quantile.ts';
import { robustSegments } from './robust-segments.ts';
import { seriesNoise } from './series-noise.ts';
import { fitLevel, heightAt, varianceAt, type Weighted } from './stretch-fit.ts';
import { studentTQuantile, studentTTwoSided } from './student-t.ts';

export interface LevelShiftOptions {
  /** The chance, at most, of any change in a series without one. */
  readonly maxP?: number;
  readonly confidence?: number;
  /** Steps smaller than this are left out. */
  readonly minSize?: number;
}

export interface LevelShift {
  /** A step, or a drift that fits better than steps do. */
  readonly kind: 'step' | 'creep';
  /** The first value after a step; the first of a creep. */
  readonly index: number;
  /** The first value after a step; the last of a creep. */
  readonly last: number;
  /** After less before. */
  readonly size: number;
  readonly low: number;
  readonly high: number;
  /** Of no change, allowing for the search over all places. */
  readonly p: number;
}

export interface LevelShifts {
  readonly shifts: readonly LevelShift[];
  /** The fitted level at every value. */
  readonly levels: Float64Array;
  /** Values that no level explains: single bad runs. */
  readonly outliers: readonly number[];
  /** Standard deviation of a typical value about its level. */
  readonly noise: number;
}

/** Fewer say nothing about their noise. */
export const LEAST_VALUES = 5;
/** Standard deviations after which a value counts no further; Fearnhead & Rigaill take 3. */
const CUTOFF = 3;
/** Of logarithms: no timer resolves less, and a noise of nothing would make everything a change. */
const LEAST_NOISE = 1e-5;

/**
 * Steps and creeps in the level of a series of values with standard errors of their own. `errors` weighs the values
 * against each other; what scatters beyond them is estimated from neighbours. A lone outlier is no change: a level has
 * to hold for two values at the end of a series, and for three within it. Meant for logarithms of times.
 */
export function levelShifts(
  values: ArrayLike<number>,
  errors: ArrayLike<number>,
  options: LevelShiftOptions = {},
): LevelShifts {
  const { maxP = 0.01, confidence = 0.95, minSize = 0 } = options;
  if (!(maxP > 0 && maxP < 1)) throw new RangeError(`maxP lies between 0 and 1, not at ${maxP}`);
  if (errors.length !== values.length) throw new RangeError('every value has one error');
  const series = finiteCopy(values);
  const count = series.length;
  if (count < LEAST_VALUES) return unchanged(series, errors);
  const weighted = weigh(series, errors);
  const penalty = penaltyFor(count, maxP);
  const starts = robustSegments(series, weighted.variances, { penalty, cutoff: CUTOFF });
  const plain = starts.map((start, k): Stretch => {
    const end = starts[k + 1] ?? count;
    return { start, end, kind: 'level', fit: fitLevel(weighted, start, end) };
  });
  const degrees = Math.max(1, 0.8 * (count - 1 - starts.length));
  const judging = { maxP, degrees, places: count - 1, minSize };
  const stretches = withoutWeak(weighted, findCreeps(weighted, plain, { penalty, maxP, degrees }), judging);
  return describe(weighted, stretches, {
    ...judging,
    reach: studentTQuantile((1 + confidence) / 2, degrees),
  });
}

interface Judging {
  readonly maxP: number;
  readonly degrees: number;
  /** Where a step could have been. */
  readonly places: number;
  readonly minSize: number;
}

/**
 * What a further level has to gain. Noise alone gains its logarithm's double among n places, and with a chance of p
 * another 2·ln(1/p); the rest is by simulation (docs/results/change-points.md).
 */
function penaltyFor(count: number, maxP: number): number {
  return 2 * Math.log(count) + 2 * Math.log(1 / maxP) - 5;
}

function weigh(values: Float64Array, errors: ArrayLike<number>): Weighted {
  const { deviation, variances, inflation } = seriesNoise(values, errors);
  return {
    values,
    variances: variances.map((square) => inflation * Math.max(LEAST_NOISE ** 2, square)),
    noise: Math.max(LEAST_NOISE, deviation),
    cutoff: CUTOFF,
  };
}

/** Drops the weakest step until every one left is significant and large enough. */
function withoutWeak(series: Weighted, stretches: readonly Stretch[], judging: Judging): readonly Stretch[] {
  let left = stretches;
  for (;;) {
    const steps = left.slice(1).map((after, k) => stepBetween(left[k]!, after, judging));
    const weak = steps.filter(({ p, size }) => !(p <= judging.maxP && Math.abs(size) >= judging.minSize));
    if (weak.length === 0) return left;
    const k = steps.indexOf(weak.reduce((weakest, step) => (step.p > weakest.p ? step : weakest)));
    left = left.toSpliced(k, 2, joined(series, left[k]!, left[k + 1]!));
  }
}

function stepBetween(
  before: Stretch,
  after: Stretch,
  { degrees, places }: Judging,
): { size: number; deviation: number; p: number } {
  const size = heightAt(after.fit, after.start) - heightAt(before.fit, before.end - 1);
  const deviation = Math.sqrt(varianceAt(before.fit, before.end - 1) + varianceAt(after.fit, after.start));
  return { size, deviation, p: Math.min(1, places * studentTTwoSided(size / deviation, degrees)) };
}

function describe(
  series: Weighted,
  stretches: readonly Stretch[],
  judging: Judging & { readonly reach: number },
): LevelShifts {
  const { values, variances } = series;
  const levels = new Float64Array(values.length);
  const shifts = stretches.flatMap((stretch, k): LevelShift[] => {
    const { start, end, fit } = stretch;
    for (let at = start; at < end; at++) levels[at] = heightAt(fit, at);
    const step = k === 0 ? undefined : stepBetween(stretches[k - 1]!, stretch, judging);
    const span = end - 1 - start;
    const slope = Math.sqrt(fit.slopeVariance);
    return [
      ...(step === undefined ? [] : [shift('step', start, start, step, judging.reach)]),
      ...(stretch.kind === 'level'
        ? []
        : [
            shift(
              'creep',
              start,
              end - 1,
              {
                size: fit.slope * span,
                deviation: slope * span,
                p: creepP(fit, judging.degrees),
              },
              judging.reach,
            ),
          ]),
    ];
  });
  const outliers = Array.from(values.keys()).filter(
    (at) => (values[at]! - levels[at]!) ** 2 > CUTOFF ** 2 * variances[at]!,
  );
  return { shifts, levels, outliers, noise: series.noise };
}

function shift(
  kind: LevelShift['kind'],
  index: number,
  last: number,
  { size, deviation, p }: { size: number; deviation: number; p: number },
  reach: number,
): LevelShift {
  return { kind, index, last, size, low: size - reach * deviation, high: size + reach * deviation, p };
}

/** Too few values to tell their noise: one level. */
function unchanged(values: Float64Array, errors: ArrayLike<number>): LevelShifts {
  const level = median(values);
  const noise = errors.length === 0 ? 0 : median(Float64Array.from(errors));
  return { shifts: [], levels: values.map(() => level), outliers: [], noise };
}
