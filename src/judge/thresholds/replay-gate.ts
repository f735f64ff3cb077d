import { decide, type Outcome } from '../decide.ts';
import { estimateCase } from '../estimate-case.ts';
import { limitsOf, type JudgePolicy } from '../judge-policy.ts';
import type { ProcessSummary } from '../process-summary.ts';
import { policyAtLook, type SequentialPlan } from '../sequential-plan.ts';

export interface ReplayedGate {
  readonly outcome: Outcome;
  /** Processes per side until it was decided. */
  readonly used: number;
}

interface Gate {
  readonly policy: JudgePolicy;
  readonly plan: SequentialPlan;
  /** Judged at once. Each is read at the level that Holm's correction gives to one that stands alone in changing. */
  readonly cases: number;
}

/** One run of the gate by its own rule, look after look, on processes that are drawn instead of measured. */
export function replayGate(
  draw: { readonly base: () => ProcessSummary; readonly head: () => ProcessSummary },
  { policy, plan, cases }: Gate,
): ReplayedGate {
  const [before, after]: [ProcessSummary[], ProcessSummary[]] = [[], []];
  const family = policy.correction === 'none' ? 1 : cases;
  let outcome: Outcome = 'undecided';
  for (const [look, due] of plan.looks.entries()) {
    while (before.length < due) {
      before.push(draw.base());
      after.push(draw.head());
    }
    const limits = limitsOf(policyAtLook(policy, plan, look));
    const shifts = estimateCase(before, after);
    ({ outcome } = decide(shifts, limits, limits.alpha / family, family));
    // What is slower by less than the threshold, as far as seen, is measured on (`settlesSlowdowns`).
    const maySettle =
      outcome === 'regressed' &&
      Math.max(shifts.shift.difference, shifts.median.difference) < limits.slowdown;
    if (outcome !== 'undecided' && !maySettle) break;
  }
  return { outcome, used: before.length };
}

/** A process as it would be if its kernel took longer, by a difference of logarithms. */
export function slowedDown({ time }: ProcessSummary, by: number): ProcessSummary {
  const moved = (value: number | undefined): number | undefined => (value === undefined ? value : value + by);
  return {
    time: { fastest: moved(time.fastest), median: time.median + by, tail: moved(time.tail) },
    cycles: undefined,
  };
}
