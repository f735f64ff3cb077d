import { changePct } from '../model/text/change-pct.ts';
import { caseKeyOf } from '../model/judge/case-key.ts';
import type { CaseComparison, CaseEstimate, Change } from '../model/judge/comparison.ts';
import { defined } from '../model/defined.ts';
import type { Measurement } from '../model/measure/samples.ts';
import { cliffsDelta } from '../stats/cliffs-delta.ts';
import { mannWhitneyU } from '../stats/mann-whitney-u.ts';
import { studentTQuantile } from '../stats/student-t.ts';
import { mean, standardDeviation } from '../stats/summary.ts';
import { median } from '../stats/quantile.ts';
import { shiftHalfWidth, type Shift } from '../stats/yuen.ts';
import type { Corrected } from './correct-for-cases.ts';
import { readInterval, type ShiftInterval } from '../model/judge/read-interval.ts';
import type { Decision } from './decide.ts';
import { ASSUMED_DEGREES, ASSUMED_SD, estimateShift, noiseIsMeasured } from './estimate-shift.ts';
import type { JudgePolicy, Limits } from './judge-policy.ts';
import { neededProcesses, PROCESSES_TO_START } from './needed-processes.ts';
import { reasonOf } from './reason.ts';

/**
 * A case of which a side is only summed up: the figures of its processes, as another tool states them. Nothing is made
 * up from them: each process counts by one figure, and what its deviation and count leave open makes the interval
 * wider.
 */
export interface SummarizedPair {
  readonly baseline: Measurement;
  readonly candidate: Measurement;
  readonly level: SummaryLevel;
  readonly before: readonly Figure[];
  readonly after: readonly Figure[];
  readonly shift: Shift;
  readonly p: number;
}

type SummaryLevel = 'median' | 'mean' | 'stated';

/** One process: the logarithm of its level, and the relative error of it by its own samples, where that is stated. */
interface Figure {
  readonly level: number;
  readonly error: { readonly value: number; readonly degrees: number } | undefined;
}

/**
 * Samples of one process resemble each other, and a summary does not say how much: it is taken to be a first-order
 * autoregression with φ = 0.8, by which n samples are worth n·(1 − φ)/(1 + φ).
 */
const SAMPLES_PER_INDEPENDENT = 9;
/** Of a median, in those of a mean: √(π/2), which holds for normal samples and is too much for heavy tails. */
const MEDIAN_ERROR = 1.2533;
/** Where a file states neither deviation nor count: the relative deviation of its figure. */
const UNSTATED_ERROR = 0.25;
/**
 * Processes of an unchanged program do not differ by more than a factor of four, twice on either side: in the series
 * that the assumed spread is from, the worst process is off by 56 %. Only believed where the deviation is stated: a
 * mean of few samples with a compilation among them is off by more.
 */
const MOST_BETWEEN = Math.log(4);
const LEAST_TAIL = 1e-14;
const HALVINGS = 14;

/** Nothing where both sides have samples, where a side has no figure at all, or where the two state different ones. */
export function summarizedPair(
  baseline: Measurement | undefined,
  candidate: Measurement,
): SummarizedPair | undefined {
  if (baseline === undefined || !isSummarizedPair(baseline, candidate)) return undefined;
  const level = commonLevel(baseline, candidate)!;
  const before = figuresOf(baseline, level);
  const after = figuresOf(candidate, level);
  const shift = estimateShift(levelsOf(before), levelsOf(after));
  const pair = { baseline, candidate, level, before, after, shift };
  return { ...pair, p: pValueOf(pair) };
}

export function isSummarizedPair(baseline: Measurement, candidate: Measurement): boolean {
  const hasSummary = isOnlySummary(baseline) || isOnlySummary(candidate);
  return hasSummary && commonLevel(baseline, candidate) !== undefined;
}

export function isOnlySummary({ series, summaries = [] }: Measurement): boolean {
  return series.length === 0 && summaries.length > 0;
}

export function describeSummarized(
  pair: SummarizedPair,
  { alpha, pAdjusted }: Corrected,
  limits: Limits,
  policy: JudgePolicy,
): CaseComparison {
  const { before, after, shift } = pair;
  const interval = intervalOf(pair, alpha, limits.missTail);
  const decision: Decision = { outcome: readInterval(interval, limits), basis: 'level' };
  const processes: [number, number] = [before.length, after.length];
  const change: Change = {
    change_pct: percentOf(interval.estimate),
    ci_pct: [percentOf(interval.slowest), percentOf(interval.low)],
  };
  const [baseline_ms, candidate_ms] = [Math.exp(shift.first), Math.exp(shift.second)];
  const needs = decision.outcome === 'undecided' ? needsOf(pair, limits, alpha) : undefined;
  const estimate: CaseEstimate = {
    level: pair.level,
    noise: isMeasured(pair) ? 'measured' : 'assumed',
    evidence: 'summaries',
    ...change,
    speedup: baseline_ms / candidate_ms,
    baseline_ms,
    candidate_ms,
    median_ms: [middleOf(before), middleOf(after)],
    ci_overlap: ownIntervalsOverlap(pair),
    cliffs_delta: cliffsDelta(levelsOf(before), levelsOf(after)),
    mann_whitney_p: mannWhitneyU(levelsOf(before), levelsOf(after)).p,
    p: pair.p,
    p_adjusted: pAdjusted,
    median: change,
    ...defined({ needs }),
  };
  return {
    state: 'estimated',
    ...caseKeyOf(pair.candidate),
    verdict: decision.outcome,
    reason: reasonOf(decision, estimate, processes, policy),
    processes,
    ...estimate,
  };
}

/** What every process of both sides states. A mean against a median would call the difference of the two a change. */
function commonLevel(baseline: Measurement, candidate: Measurement): SummaryLevel | undefined {
  const sides = [baseline, candidate];
  const allState = (field: 'median_ms' | 'mean_ms' | 'unstated_ms'): boolean =>
    sides.every(({ series, summaries = [] }) =>
      series.length > 0
        ? field !== 'unstated_ms'
        : summaries.length > 0 && summaries.every((one) => one[field] !== undefined),
    );
  if (allState('median_ms')) return 'median';
  if (allState('mean_ms')) return 'mean';
  return allState('unstated_ms') ? 'stated' : undefined;
}

function figuresOf({ series, summaries = [] }: Measurement, level: SummaryLevel): Figure[] {
  if (series.length === 0) {
    return summaries.map(({ median_ms, mean_ms, unstated_ms, stddev_ms, samples }) => {
      const figure_ms = (level === 'median' ? median_ms : level === 'mean' ? mean_ms : unstated_ms)!;
      return figureOf(level, figure_ms, stddev_ms, samples);
    });
  }
  const byProcess = new Map<unknown, number[]>();
  for (const one of series) {
    const known = byProcess.get(one.process ?? one);
    if (known === undefined) byProcess.set(one.process ?? one, [...one.samples_ms]);
    else for (const sample of one.samples_ms) known.push(sample);
  }
  return [...byProcess.values()].map((own) =>
    figureOf(
      level,
      level === 'mean' ? mean(own) : median(own),
      own.length < 2 ? undefined : standardDeviation(own),
      own.length,
    ),
  );
}

function figureOf(
  level: SummaryLevel,
  figure_ms: number,
  stddev_ms: number | undefined,
  samples: number | undefined,
): Figure {
  if (stddev_ms === undefined || samples === undefined || samples < 2) {
    return { level: Math.log(figure_ms), error: undefined };
  }
  const independent = Math.max(1, samples / SAMPLES_PER_INDEPENDENT);
  const value = (stddev_ms / figure_ms / Math.sqrt(independent)) * (level === 'mean' ? 1 : MEDIAN_ERROR);
  return { level: Math.log(figure_ms), error: { value, degrees: Math.max(2, independent - 1) } };
}

function levelsOf(figures: readonly Figure[]): number[] {
  return figures.map(({ level }) => level);
}

function isMeasured({ before, after }: Pick<SummarizedPair, 'before' | 'after'>): boolean {
  return noiseIsMeasured(before.length, after.length);
}

type Sides = Pick<SummarizedPair, 'before' | 'after' | 'shift'>;

/**
 * How far the true shift may lie from the estimate on one side. From three processes on, their own spread tells.
 * With fewer it is assumed, as for samples, and what the samples of each leave open comes on top.
 */
function halfWidth(pair: Sides, tail: number): number {
  if (isMeasured(pair)) return shiftHalfWidth(pair.shift, tail);
  const { before, after } = pair;
  const isStated = [...before, ...after].every(({ error }) => error !== undefined);
  const between =
    studentTQuantile(1 - tail, ASSUMED_DEGREES) *
    ASSUMED_SD *
    Math.sqrt(1 / before.length + 1 / after.length);
  const within = Math.hypot(withinHalf(before, tail), withinHalf(after, tail));
  return within + (isStated ? Math.min(between, MOST_BETWEEN) : between);
}

function withinHalf(figures: readonly Figure[], tail: number): number {
  const reaches = figures.map(({ error }) =>
    error === undefined
      ? UNSTATED_ERROR * studentTQuantile(1 - tail, ASSUMED_DEGREES)
      : error.value * studentTQuantile(1 - tail, error.degrees),
  );
  return Math.hypot(...reaches) / figures.length;
}

function intervalOf(pair: Sides, alpha: number, missTail: number): ShiftInterval {
  const estimate = pair.shift.difference;
  const width = halfWidth(pair, alpha / 2);
  return {
    estimate,
    low: estimate - width,
    high: estimate + width,
    slowest: estimate + halfWidth(pair, missTail),
  };
}

/** The two-sided level at which the interval just reaches no change. */
function pValueOf(pair: Sides): number {
  const distance = Math.abs(pair.shift.difference);
  let [low, high] = [Math.log(LEAST_TAIL), Math.log(0.5)];
  if (distance === 0) return 1;
  if (halfWidth(pair, LEAST_TAIL) < distance) return 2 * LEAST_TAIL;
  for (let halving = 0; halving < HALVINGS; halving++) {
    const middle = (low + high) / 2;
    if (halfWidth(pair, Math.exp(middle)) > distance) low = middle;
    else high = middle;
  }
  return Math.min(1, 2 * Math.exp(high));
}

function needsOf(pair: SummarizedPair, limits: Limits, alpha: number): CaseEstimate['needs'] {
  const { before, after, shift } = pair;
  const isPastHalf = shift.difference > limits.slowdown / 2;
  const margin = isPastHalf ? shift.difference : limits.slowdown - shift.difference;
  const sides = [before.length, after.length] as const;
  const needed = isMeasured(pair)
    ? neededProcesses(shift, sides, margin, isPastHalf ? alpha / 2 : limits.missTail)
    : PROCESSES_TO_START;
  return needed === undefined ? undefined : { processes: Math.max(1, needed - Math.min(...sides)) };
}

/** 95 % of each side's mean level by its own samples; those that state no deviation cannot be told apart. */
function ownIntervalsOverlap({ before, after, shift }: SummarizedPair): boolean {
  const reach = (figures: readonly Figure[]): number =>
    (1.96 * Math.hypot(...figures.map(({ error }) => error?.value ?? Infinity))) / figures.length;
  return Math.abs(shift.difference) <= reach(before) + reach(after);
}

function middleOf(figures: readonly Figure[]): number {
  return Math.exp(median(levelsOf(figures)));
}

function percentOf(difference: number): number {
  return changePct(1, Math.exp(difference));
}
