import { creepP, findCreeps, joined, type Stretch } from './creeps.ts';
import { groupOffsets, type GroupOffsets } from './group-offsets.ts';
import { modedSegments, type ModedSegments } from './moded-segments.ts';
import { finiteCopy } from './order.ts';
import { median } from './quantile.ts';
import { robustSegments, type RobustSegments } from './robust-segments.ts';
import { modesOfDifferences, shareShifts } from './series-modes.ts';
import { seriesNoise } from './series-noise.ts';
import { fitLevel, heightAt, varianceAt, type Weighted } from './stretch-fit.ts';
import { studentTQuantile, studentTTwoSided } from './student-t.ts';

export interface LevelShiftOptions {
  /** The chance, at most, of any change in a series without one. */
  readonly maxP?: number;
  readonly confidence?: number;
  /** Steps smaller than this are left out. */
  readonly minSize?: number;
  /** Where each value is from, such as its machine: groups that take turns are told apart and do not count as steps. */
  readonly groups?: readonly (string | undefined)[];
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
  /** Where the series alternates between two levels, which is not a change. */
  readonly modes?: LevelModes;
  /** How far the groups that took turns lie from the one with the most values. */
  readonly offsets?: ReadonlyMap<string, number>;
}

export interface LevelModes {
  /** How far the upper mode lies above the lower. */
  readonly gap: number;
  /** How often the series went from one to the other. */
  readonly flips: number;
  /** Of values in the upper mode. */
  readonly share: number;
}

/** Fewer say nothing about their noise. */
export const LEAST_VALUES = 5;
/** Standard deviations after which a value counts no further; Fearnhead & Rigaill take 3. */
const CUTOFF = 3;
/** Of logarithms: no timer resolves less, and a noise of nothing would make everything a change. */
const LEAST_NOISE = 1e-5;
/** A change and its return, three times over, may be changes; the fourth visit is a mode. */
const LEAST_FLIPS = 7;
/** A step larger than this many gaps between the modes cannot be one of them. */
const BEYOND_MODES = 1.25;
/** Of a mode, on each side of a change. */
const LEAST_IN_MODE = 3;
/** In fewer values seven changes of mode are noise more often than not. */
const LEAST_FOR_MODES = 30;
/** Variance of a median of neighbours' differences, in those of a value: π/2 for the median, 2 for the difference. */
const OFFSET_VARIANCE = Math.PI;

/**
 * Steps and creeps in the level of a series of values with standard errors of their own. `errors` weighs the values
 * against each other; what scatters beyond them is estimated from neighbours. A lone outlier is not a change: a level has
 * to hold for two values at the end of a series, and for three within it. A series that alternates between two
 * levels has two modes, and groups that take turns have offsets; neither is a change. Meant for logarithms of times.
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
  const penalty = penaltyFor(count, maxP);
  const apart = options.groups === undefined ? undefined : groupOffsets(series, options.groups);
  const own = apart === undefined ? series : series.map((value, at) => value - apart.byValue[at]!);
  const { weighted, segments, modes } = segmentsOf(own, errors, penalty);
  const { starts } = segments;
  const plain = starts.map((start, k): Stretch => {
    const end = starts[k + 1] ?? count;
    return { start, end, kind: 'level', fit: fitLevel(weighted, start, end) };
  });
  const degrees = Math.max(1, 0.8 * (count - 1 - starts.length));
  const judging = { maxP, degrees, places: count - 1, minSize, ...mixOf(apart, options.groups, weighted) };
  const stretches = withoutWeak(weighted, findCreeps(weighted, plain, { penalty, maxP, degrees }), judging);
  const found = describe(weighted, stretches, {
    ...judging,
    reach: studentTQuantile((1 + confidence) / 2, degrees),
  });
  const levels = found.levels.map(
    (level, at) => level + (apart?.byValue[at] ?? 0) + (modes?.upper[at] === 1 ? modes.gap : 0),
  );
  return {
    ...found,
    levels,
    ...(modes === undefined ? {} : moded(found, weighted.values, modes, judging, (1 + confidence) / 2)),
    ...(apart === undefined
      ? {}
      : { offsets: new Map([...apart.offsets].map(([group, { offset }]) => [group, offset])) }),
  };
}

interface FoundModes {
  readonly gap: number;
  readonly flips: number;
  readonly upper: Uint8Array;
}

interface Segmented {
  /** Values without their modes. */
  readonly weighted: Weighted;
  readonly segments: Pick<RobustSegments, 'starts'>;
  readonly modes?: FoundModes;
}

function segmentsOf(values: Float64Array, errors: ArrayLike<number>, penalty: number): Segmented {
  const weighted = weigh(values, errors);
  const segments = robustSegments(values, weighted.variances, { penalty, cutoff: CUTOFF });
  const modes = betterAsModes(weighted, segments.cost, penalty);
  if (modes === undefined) return { weighted, segments };
  const first = weigh(withoutModes(values, modes), errors);
  const flips = chanceOf(modes.flips, values.length);
  const again = modedSegments(
    values,
    first.variances,
    { gap: modes.gap, flips },
    { penalty, cutoff: CUTOFF },
  );
  const found = { gap: modes.gap, flips: again.flips, upper: again.upper };
  return { weighted: { ...first, values: withoutModes(values, found) }, segments: again, modes: found };
}

/**
 * Two modes, where they are the shorter account of a series than steps between levels and than one wide noise: what
 * values, levels and changes of mode cost together, in units of −2·ln of a likelihood, and a step's cost less.
 */
function betterAsModes(weighted: Weighted, cost: number, penalty: number): FoundModes | undefined {
  const { values, variances } = weighted;
  const count = values.length;
  const guess = count < LEAST_FOR_MODES ? undefined : modesOfDifferences(values);
  if (guess === undefined || guess.flips * count < LEAST_FLIPS) return undefined;
  const noise = Math.max(LEAST_NOISE, guess.noise);
  const scale = noise ** 2 / median(variances);
  const within = variances.map((variance) => variance * scale);
  const moded: ModedSegments = modedSegments(values, within, guess, { penalty, cutoff: CUTOFF });
  if (moded.flips < LEAST_FLIPS) return undefined;
  // Two more numbers are estimated: the gap and the chance.
  const asModes = moded.cost + 4 * Math.log(count) + penalty;
  const asWide = cost - count * Math.log(scale);
  const asSteps = robustSegments(values, within, { penalty, cutoff: CUTOFF }).cost;
  if (asModes >= Math.min(asWide, asSteps)) return undefined;
  return { gap: guess.gap, flips: moded.flips, upper: moded.upper };
}

function chanceOf(flips: number, count: number): number {
  return Math.min(0.95, Math.max(1 / count, flips / (count - 1)));
}

function withoutModes(values: Float64Array, { gap, upper }: FoundModes): Float64Array {
  return values.map((value, at) => value - gap * upper[at]!);
}

/** What there is to say of the modes; a change in how often the upper one is taken is a step, too. */
function moded(
  { shifts: all }: LevelShifts,
  values: Float64Array,
  { gap, flips, upper }: FoundModes,
  { maxP, minSize }: Judging,
  quantile: number,
): Pick<LevelShifts, 'shifts' | 'modes'> {
  const reach = studentTQuantile(quantile, upper.length);
  const shifts = all.filter(
    (one, k) =>
      Math.abs(one.size) > BEYOND_MODES * gap ||
      isInBothModes(values, upper, one, all[k - 1]?.last ?? 0, all[k + 1]?.index ?? values.length),
  );
  const more = shareShifts(upper, maxP).flatMap(({ index, change, deviation, p }) => {
    const size = gap * change;
    // A level's own step beside it is the better account of the same.
    const isTold = shifts.some((one) => Math.abs(one.index - index) <= LEAST_VALUES);
    if (isTold || Math.abs(size) < minSize) return [];
    return [shift('step', index, index, { size, deviation: gap * deviation, p }, reach)];
  });
  return {
    shifts: [...shifts, ...more].sort((a, b) => a.index - b.index),
    modes: { gap, flips, share: upper.reduce((sum, is) => sum + is, 0) / upper.length },
  };
}

/**
 * Whether each mode, by itself, moved at least half as far: a mode that drifts alone, or that the series has left,
 * moves the fit of both together.
 */
function isInBothModes(
  values: Float64Array,
  upper: Uint8Array,
  { kind, index, last, size }: LevelShift,
  from: number,
  to: number,
): boolean {
  // Of a creep, its first third against its last.
  const third = Math.ceil((last + 1 - index) / 3);
  const [before, after] =
    kind === 'step'
      ? [[from, index] as const, [index, to] as const]
      : [[index, index + third] as const, [last + 1 - third, last + 1] as const];
  return [0, 1].every((mode) => {
    const [one, other] = [before, after].map(([start, end]) =>
      values.subarray(start, end).filter((_, at) => upper[start + at] === mode),
    ) as [Float64Array, Float64Array];
    if (one.length < LEAST_IN_MODE || other.length < LEAST_IN_MODE) return false;
    return (
      ((median(other) - median(one)) * Math.sign(size)) / Math.abs(size) >= (kind === 'step' ? 1 / 2 : 1 / 3)
    );
  });
}

interface Judging {
  readonly maxP: number;
  readonly degrees: number;
  /** Where a step could have been. */
  readonly places: number;
  readonly minSize: number;
  /** What the offsets of groups add to the variance of a step between stretches that mix them differently. */
  readonly mixVariance?: (before: Stretch, after: Stretch) => number;
}

/** By how many values of each group there are up to each place. */
function mixOf(
  apart: GroupOffsets<string> | undefined,
  groups: LevelShiftOptions['groups'],
  { noise }: Weighted,
): Pick<Judging, 'mixVariance'> {
  const unsure = [...(apart?.offsets ?? [])].filter(([, { pairs }]) => pairs > 0);
  if (groups === undefined || unsure.length === 0) return {};
  const counted = unsure.map(([group, { pairs }]) => {
    const upTo = new Int32Array(groups.length + 1);
    groups.forEach((one, at) => (upTo[at + 1] = upTo[at]! + (one === group ? 1 : 0)));
    return { upTo, variance: (OFFSET_VARIANCE * noise ** 2) / pairs };
  });
  const shareIn = (upTo: Int32Array, { start, end }: Stretch): number =>
    (upTo[end]! - upTo[start]!) / (end - start);
  return {
    mixVariance: (before, after) =>
      counted.reduce(
        (sum, { upTo, variance }) => sum + (shareIn(upTo, after) - shareIn(upTo, before)) ** 2 * variance,
        0,
      ),
  };
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
  const left = [...stretches];
  const stepTo = (k: number): Step => stepBetween(left[k - 1]!, left[k]!, judging);
  const steps = left.slice(1).map((_, k) => stepTo(k + 1));
  for (;;) {
    let weakest = -1;
    steps.forEach(({ p, size }, k) => {
      const isWeak = !(p <= judging.maxP && Math.abs(size) >= judging.minSize);
      if (isWeak && (weakest < 0 || p > steps[weakest]!.p)) weakest = k;
    });
    if (weakest < 0) return left;
    left.splice(weakest, 2, joined(series, left[weakest]!, left[weakest + 1]!));
    steps.splice(weakest, 1);
    if (weakest > 0) steps[weakest - 1] = stepTo(weakest);
    if (weakest < steps.length) steps[weakest] = stepTo(weakest + 1);
  }
}

interface Step {
  readonly size: number;
  readonly deviation: number;
  readonly p: number;
}

function stepBetween(before: Stretch, after: Stretch, { degrees, places, mixVariance }: Judging): Step {
  const size = heightAt(after.fit, after.start) - heightAt(before.fit, before.end - 1);
  const deviation = Math.sqrt(
    varianceAt(before.fit, before.end - 1) +
      varianceAt(after.fit, after.start) +
      (mixVariance?.(before, after) ?? 0),
  );
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
  { size, deviation, p }: Step,
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
