import { defined } from '../model/defined.ts';
import { caseKeyOf } from '../model/judge/case-key.ts';
import type { CaseComparison, CaseEstimate, Change } from '../model/judge/comparison.ts';
import { changePct } from '../model/text/change-pct.ts';
import type { Measurement, Series } from '../model/measure/samples.ts';
import { cliffsDelta } from '../stats/cliffs-delta.ts';
import { mannWhitneyU } from '../stats/mann-whitney-u.ts';
import { median } from '../stats/quantile.ts';
import type { Shift } from '../stats/yuen.ts';
import type { Corrected } from './correct-for-cases.ts';
import type { Decision } from './decide.ts';
import { intervalOf } from './decide.ts';
import type { CaseShifts } from './estimate-case.ts';
import type { JudgePolicy, Limits } from './judge-policy.ts';
import { mediansOverlap } from './medians-overlap.ts';
import { neededProcesses, PROCESSES_TO_START } from './needed-processes.ts';
import type { ProcessSummary } from './process-summary.ts';
import { reasonOf } from './reason.ts';

/** A case with both sides measured, before it is judged among the others. */
export interface EstimatedPair {
  readonly baseline: Measurement;
  readonly candidate: Measurement;
  readonly before: readonly ProcessSummary[];
  readonly after: readonly ProcessSummary[];
  readonly shifts: CaseShifts;
  readonly p: number;
}

/** The case as the comparison file has it: the verdict with every number beside it. */
export function describeCase(
  pair: EstimatedPair,
  decision: Decision,
  corrected: { readonly level: Corrected; readonly tail: Corrected | undefined },
  limits: Limits,
  policy: JudgePolicy,
): CaseComparison {
  const { shifts } = pair;
  const { alpha, pAdjusted } = corrected.level;
  const change = (shift: Shift): Change => changeOf(shift, alpha, limits);
  const before = pair.before.map((one) => levelOf(one, shifts.level));
  const after = pair.after.map((one) => levelOf(one, shifts.level));
  const baseline_ms = Math.exp(shifts.shift.first);
  const candidate_ms = Math.exp(shifts.shift.second);
  const isOpen = decision.outcome === 'undecided' && decision.basis !== 'launch-latency';
  const needs = isOpen ? needsOf(pair, decision, limits, alpha) : undefined;
  const processes: [number, number] = [before.length, after.length];
  const estimate: CaseEstimate = {
    level: shifts.level,
    noise: shifts.noise,
    ...change(shifts.shift),
    speedup: baseline_ms / candidate_ms,
    baseline_ms,
    candidate_ms,
    median_ms: [medianOf(pair.before), medianOf(pair.after)],
    ci_overlap: mediansOverlap(pair.baseline.series, pair.candidate.series),
    cliffs_delta: cliffsDelta(before, after),
    mann_whitney_p: mannWhitneyU(before, after).p,
    p: pair.p,
    p_adjusted: pAdjusted,
    median: change(shifts.median),
    ...(corrected.tail === undefined ? {} : { tail: tailOf(shifts.tail!, corrected.tail, limits) }),
    ...(shifts.cycles === undefined
      ? {}
      : { cycles: { ...change(shifts.cycles.shift), clock_change: decision.basis === 'clock' } }),
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

function levelOf({ time }: ProcessSummary, level: CaseShifts['level']): number {
  return level === 'median' ? time.median : time.fastest!;
}

function medianOf(processes: readonly ProcessSummary[]): number {
  return Math.exp(median(processes.map(({ time }) => time.median)));
}

/** The end towards "slower" is read for misses, the other for alarms: where the verdict's own limits lie. */
function changeOf(shift: Shift, alpha: number, limits: Limits): Change {
  const { estimate, low, slowest } = intervalOf(shift, alpha, limits.missTail);
  return { change_pct: pctOf(estimate), ci_pct: [pctOf(slowest), pctOf(low)] };
}

function pctOf(difference: number): number {
  return changePct(1, Math.exp(difference));
}

function tailOf(shift: Shift, { alpha }: Corrected, limits: Limits): NonNullable<CaseEstimate['tail']> {
  const { estimate, low, high } = intervalOf(shift, alpha, limits.missTail);
  const isClear = low > 0 || high < 0;
  const moved = isClear && Math.abs(estimate) > limits.slowdown / 2;
  return { ...changeOf(shift, alpha, limits), moved };
}

/** What would tell the estimate from the limit it is too near to. */
function needsOf(
  { baseline, candidate, shifts }: EstimatedPair,
  decision: Decision,
  limits: Limits,
  alpha: number,
): CaseEstimate['needs'] {
  const [before, after] = shifts.processes;
  const shift = decision.basis === 'cycles-unclear' ? shifts.cycles!.shift : shifts.shift;
  const isPastHalf = shift.difference > limits.slowdown / 2;
  const margin = isPastHalf ? shift.difference : limits.slowdown - shift.difference;
  const needed =
    shifts.noise === 'assumed'
      ? PROCESSES_TO_START
      : neededProcesses(shift, shifts.processes, margin, isPastHalf ? alpha / 2 : limits.missTail);
  if (needed === undefined) return undefined;
  const more = [Math.max(0, needed - before), Math.max(0, needed - after)] as const;
  const costs = [meanCost_ms(baseline.series), meanCost_ms(candidate.series)] as const;
  const processes = Math.max(1, ...more);
  if (costs[0] === undefined || costs[1] === undefined) return { processes };
  return { processes, seconds: (more[0] * costs[0] + more[1] * costs[1]) / 1000 };
}

/** Of one process, start-up apart; nothing where a series does not say. */
function meanCost_ms(series: readonly Series[]): number | undefined {
  let total = 0;
  for (const { warmup_cost_ms = 0, sampling_cost_ms } of series) {
    if (sampling_cost_ms === undefined) return undefined;
    total += warmup_cost_ms + sampling_cost_ms;
  }
  return total > 0 ? total / series.length : undefined;
}
