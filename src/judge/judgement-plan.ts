import type { SequentialPlan } from './sequential-plan.ts';

/**
 * When a judgement looks. The first look comes after two processes per side. Their spread is not estimated then but
 * assumed (estimate-shift.ts), so that this look decides only effects of about three times, either way; a candidate
 * that is that slow costs a third of the time. The second comes after three, the fewest whose spread can be estimated,
 * and may only find that nothing changed: most candidates of most fleets are as fast as the reference, and cost half of
 * the time then. The third comes after six, the least that tells modes of processes from a change (sequential-plan.ts),
 * and the others after twice as many each: they are few, because each has an equal share of the error rates
 * (policyAtLook).
 */
const LOOKS = [2, 3, 6, 12];
const SAMENESS_LOOK = 3;

/** @param maxProcesses per side */
export function judgementPlan(maxProcesses: number): SequentialPlan {
  const looks = [...LOOKS.filter((look) => look < maxProcesses), maxProcesses];
  return {
    looks,
    shares: looks.map(() => 1 / looks.length),
    samenessLooks: looks.slice(0, -1).filter((look) => look === SAMENESS_LOOK),
    excludesGains: true,
  };
}
