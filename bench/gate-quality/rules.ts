import type { Outcome } from '../../src/judge/decide.ts';
import { decide } from '../../src/judge/decide.ts';
import { estimateCase } from '../../src/judge/estimate-case.ts';
import { JUDGE_DEFAULTS, limitsOf } from '../../src/judge/judge-policy.ts';
import { changePct } from '../../src/model/text/change-pct.ts';
import type { MedianInterval } from '../../src/stats/bootstrap-median.ts';
import { mannWhitneyU } from '../../src/stats/mann-whitney-u.ts';
import { mean } from '../../src/stats/summary.ts';
import { studentTTwoSided } from '../../src/stats/student-t.ts';
import { yuenShift } from '../../src/stats/yuen.ts';
import type { Side } from './side.ts';

/** A way to decide. Rules that know no "undecided" pass what they do not call. */
export interface Rule {
  readonly name: string;
  readonly decide: (baseline: Side, candidate: Side) => Outcome;
}

const LIMITS = limitsOf(JUDGE_DEFAULTS);

/** Ours, as `pawl compare` applies it to a file with one case. */
function pawl(baseline: Side, candidate: Side): Outcome {
  const shifts = estimateCase(
    baseline.processes.map(({ summary }) => summary),
    candidate.processes.map(({ summary }) => summary),
  );
  return decide(shifts, LIMITS, LIMITS.alpha, 1).outcome;
}

/** The seeds' rule: 3 % slower, or 5 % faster, and bootstrap 95 % intervals of the medians that do not overlap. */
function apart(baseline: MedianInterval, candidate: MedianInterval): Outcome {
  const change_pct = changePct(baseline.median, candidate.median);
  if (candidate.low > baseline.high && change_pct < -JUDGE_DEFAULTS.regressionPct) return 'regressed';
  if (candidate.high < baseline.low && change_pct > JUDGE_DEFAULTS.improvementPct) return 'improved';
  return 'maintained';
}

function seedsOneProcess(baseline: Side, candidate: Side): Outcome {
  return apart(baseline.processes[0]!.interval, candidate.processes[0]!.interval);
}

function seedsPooled(baseline: Side, candidate: Side): Outcome {
  return apart(baseline.pooledInterval, candidate.pooledInterval);
}

/** golang.org/x/perf/cmd/benchstat: any difference with a Mann-Whitney p below .05 is a difference. */
function rankTest(baseline: ArrayLike<number>, candidate: ArrayLike<number>, isSlower: boolean): Outcome {
  if (mannWhitneyU(baseline, candidate).p >= 0.05) return 'maintained';
  return isSlower ? 'regressed' : 'improved';
}

function benchstatMedians(baseline: Side, candidate: Side): Outcome {
  const [before, after] = [baseline.medians, candidate.medians];
  return rankTest(before, after, mean(after) > mean(before));
}

function benchstatPooled(baseline: Side, candidate: Side): Outcome {
  return rankTest(
    baseline.pooled,
    candidate.pooled,
    candidate.pooledInterval.median > baseline.pooledInterval.median,
  );
}

/**
 * github-action-benchmark: an alert when the new value over the old one is above a threshold. Its default is
 * 200 %, at which nothing here would alert; it is scored at our threshold, and mirrored for gains.
 */
function ratioOfMeans(baseline: Side, candidate: Side): Outcome {
  const ratio = meanOf(candidate) / meanOf(baseline);
  if (ratio > 1 + JUDGE_DEFAULTS.regressionPct / 100) return 'regressed';
  return 1 / ratio > 1 + JUDGE_DEFAULTS.improvementPct / 100 ? 'improved' : 'maintained';
}

function meanOf(side: Side): number {
  return mean(side.processes.map((one) => one.mean));
}

/** Welch's t-test on the process medians, p below .05. */
function welch(baseline: Side, candidate: Side): Outcome {
  const { difference, errors } = yuenShift(baseline.medians, candidate.medians, 0);
  const { value, degreesOfFreedom } = errors[0]!;
  if (studentTTwoSided(difference / value, degreesOfFreedom) >= 0.05) return 'maintained';
  return difference > 0 ? 'regressed' : 'improved';
}

/**
 * nvbench's robust comparison (python/scripts/nvbench_compare_robust.py, default preset): each side is the interval
 * from its minimum to its third quartile. A gap of 0.5 % between the two is a difference. Medians within 0.5 %,
 * relative interquartile ranges up to 2 % and intervals that share half of the narrower one are the same; the rest
 * is undecided. Left out: its confirmation of a gap in clock cycles and of sameness by the samples' nearest
 * neighbours, which would only make more of it undecided.
 */
function nvbenchIntervals(baseline: Side, candidate: Side): Outcome {
  const [before, after] = [quartiles(baseline.pooled), quartiles(candidate.pooled)];
  if (after.minimum > before.upper * 1.005) return 'regressed';
  if (before.minimum > after.upper * 1.005) return 'improved';
  const centres = Math.max(before.median, after.median) / Math.min(before.median, after.median) - 1;
  const shared = Math.min(before.upper, after.upper) - Math.max(before.minimum, after.minimum);
  const narrower = Math.min(before.upper - before.minimum, after.upper - after.minimum);
  const isQuiet = [before, after].every(({ lower, median, upper }) => (upper - lower) / median <= 0.02);
  return centres <= 0.005 && shared >= 0.5 * narrower && isQuiet ? 'maintained' : 'undecided';
}

function quartiles(ascending: Float64Array): Record<'minimum' | 'lower' | 'median' | 'upper', number> {
  const at = (share: number): number => ascending[Math.round(share * (ascending.length - 1))]!;
  return { minimum: ascending[0]!, lower: at(0.25), median: at(0.5), upper: at(0.75) };
}

export const PAWL_RULE: Rule = { name: 'pawl', decide: pawl };

export const RULES: readonly Rule[] = [
  PAWL_RULE,
  { name: 'seeds: 3 % and 95 % intervals apart, one process per side', decide: seedsOneProcess },
  { name: 'seeds: the same, all processes pooled', decide: seedsPooled },
  { name: 'benchstat: Mann-Whitney .05 on process medians', decide: benchstatMedians },
  { name: 'benchstat: the same on all samples', decide: benchstatPooled },
  { name: 'github-action-benchmark: ratio of means at 103 %', decide: ratioOfMeans },
  { name: 't-test: Welch .05 on process medians', decide: welch },
  { name: 'nvbench: robust intervals, all samples', decide: nvbenchIntervals },
];
