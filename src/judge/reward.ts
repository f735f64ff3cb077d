import type { CaseComparison } from '../model/judge/comparison.ts';
import { speedupOf } from '../model/judge/comparison.ts';
import type { Speedup } from '../model/judge/race.ts';

/** What a case says of how much faster the candidate is. */
export interface CaseGain {
  readonly speedup: Speedup;
  /** What the case adds to the reward. */
  readonly reward: number;
}

/**
 * The speed-up of a case with an interval whose ends are equally unlikely to be passed. The comparison's own lower end
 * is read for misses, which are allowed more often than false alarms (docs/statistics.md): what is optimised by the
 * lower end needs the rarer error. Both ends are as far from the estimate on the scale of logarithms, so that the
 * upper one gives the lower one.
 *
 * The reward is the lower end, and no more than what the medians say: the verdict rests on the fastest samples, and a
 * kernel that is quick in a tenth of its calls only must not be paid for that.
 */
export function gainOf(one: CaseComparison): CaseGain | undefined {
  if (one.state !== 'estimated') return undefined;
  const estimate = speedupOf(one.change_pct);
  const high = speedupOf(one.ci_pct[1]);
  const ofMedians = speedupOf(one.median.change_pct);
  if (estimate === undefined || high === undefined || ofMedians === undefined) return undefined;
  const low = Math.min(estimate, estimate ** 2 / high);
  return { speedup: { estimate, low, high }, reward: Math.min(low, ofMedians) };
}

/**
 * Over all cases: geometric means. Ends of intervals are averaged likewise, which is cautious: errors of different cases
 * would cancel.
 */
export function meanGain(gains: readonly CaseGain[]): CaseGain | undefined {
  if (gains.length === 0) return undefined;
  const mean = (of: (gain: CaseGain) => number): number =>
    Math.exp(gains.reduce((sum, gain) => sum + Math.log(of(gain)), 0) / gains.length);
  const part = (name: keyof Speedup): number => mean(({ speedup }) => speedup[name]);
  return {
    speedup: { estimate: part('estimate'), low: part('low'), high: part('high') },
    reward: mean(({ reward }) => reward),
  };
}
