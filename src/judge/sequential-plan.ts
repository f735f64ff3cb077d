import { PawlError } from '../model/pawl-error.ts';
import type { JudgePolicy } from './judge-policy.ts';

/** When to look at the processes so far, and what part of the error rates each look may use up. */
export interface SequentialPlan {
  /** Processes a side at each look, ascending; the last is the most there will be. */
  readonly looks: readonly number[];
  /** One a look; they add up to 1. */
  readonly shares: readonly number[];
  /**
   * Looks, by their processes per side, that may find an unchanged speed and nothing else. Processes that fall into two
   * modes can look like a change when they are few; that they look the same by chance costs no more than a miss.
   */
  readonly samenessLooks?: readonly number[];
  /**
   * Whether an unchanged speed is settled only once a gain is excluded. Default: once a slowdown is, unless a gain is
   * nearer than nothing. A gate asks whether something got slower; who rewards gains must not miss them either.
   */
  readonly excludesGains?: boolean;
  /**
   * Whether a slowdown that is clear, but by its estimate below the threshold, is measured on until it is shown to be
   * below. A gate does: such a slowdown passes.
   */
  readonly settlesSlowdowns?: boolean;
}

/**
 * No look comes before this many processes per side. On devices where a process falls into a fast or a slow mode by
 * the toss of a coin, k processes per side land apart by chance with probability 2^(−2k), and then no test can tell
 * them from a change: six is the first k where that (0.02 %) lies below what a look may use up of 0.5 %.
 */
const FIRST_LOOK = 6;

/** A look that adds less than this to the processes of the last one costs error rate and tells little. */
const LEAST_GROWTH = 1.25;

/** 6, 8, 12, 16, 24, 32, …: half or a third more each time, so that the looks stay few. */
export function sequentialPlan({
  maxProcesses,
  ...asked
}: { readonly maxProcesses: number } & Pick<SequentialPlan, 'settlesSlowdowns'>): SequentialPlan {
  if (!(Number.isInteger(maxProcesses) && maxProcesses >= 1)) {
    throw new PawlError(
      'usage',
      `--processes must be at least 1, not ${maxProcesses}.`,
      'The default is 24.',
    );
  }
  const looks: number[] = [];
  let next = FIRST_LOOK;
  let after = 8;
  while (next * LEAST_GROWTH <= maxProcesses) {
    looks.push(next);
    [next, after] = [after, 2 * next];
  }
  looks.push(maxProcesses);
  return { ...asked, looks, shares: looks.map(() => 1 / looks.length) };
}

/**
 * The policy that a look is judged by: its share of both error rates. The chance that any look errs is at most the
 * sum of the looks' chances (Boole's inequality; Bonferroni), so the stated rates hold however often is looked and
 * however the looks depend on each other, which they do, sharing their processes. Boundaries that use that
 * dependence (Pocock, Biometrika 64(2), 1977; Lan & DeMets, Biometrika 70(3), 1983) are a little less strict, but
 * they need a known variance or normal increments, and here the variance comes from six processes.
 *
 * Shares are equal so that cases may be dropped (SequentialJudge).
 */
export function policyAtLook(policy: JudgePolicy, { shares }: SequentialPlan, look: number): JudgePolicy {
  const share = shares[look];
  if (share === undefined) throw new RangeError(`look ${look} is not in the plan of ${shares.length}`);
  return { ...policy, falseAlarm: policy.falseAlarm * share, miss: policy.miss * share };
}
