import type { FixOutcome } from '../../model/learn/advice.ts';
import type { RuleId } from '../../model/profile/diagnosis-words.ts';
import { DAY_MS } from '../../model/text/moment.ts';
import { learnScatter, learnShare, type Group } from './learn-spread.ts';
import { learnTrust } from './learn-trust.ts';
import type { Place } from './likeness.ts';
import { logGain } from './log-gain.ts';
import { placesOf, type Recorded } from './places.ts';
import { pool, type Pooled } from './pool.ts';
import type { FixSettings } from './settings.ts';

/** What recorded outcomes say about fixes at one place. */
export interface FixModel {
  /** The share of a rule's estimate that fixes of any rule bring. */
  readonly share: number;
  /** How much of what other devices say holds on this one. */
  readonly trust: number;
  /** Between one fix and the next of the same rule, kind and device. */
  readonly scatterVariance: number;
  /** The share that this rule's fixes bring, where `start` is what is expected without an outcome of it. */
  readonly shareOf: (rule: RuleId, start: number) => Pooled;
}

/** Half of a 95 % interval, in standard deviations. */
const CI_DEVIATIONS = 1.96;
/** Comparisons without an interval, and the least that any comparison is off by: another process layout, another day. */
const USUAL_NOISE = 0.01;
const LEAST_NOISE = 0.005;
/** Below this a promise is smaller than what comparisons are good for, and a share of it means nothing. */
const LEAST_PROMISE = 0.01;

export function fixModel(outcomes: readonly FixOutcome[], here: Place, start: FixSettings): FixModel {
  const byRule = new Map<RuleId, Group>();
  for (const [rule, records] of recordsOf(outcomes)) byRule.set(rule, placesOf(records, start));
  const groups = [...byRule.values()];
  const settings = learnShare(groups, learnScatter(groups, start));
  const trust = learnTrust(groups, here, settings);
  const variance = settings.shareVariance + settings.ruleVariance;
  return {
    share: settings.share,
    trust,
    scatterVariance: settings.scatterVariance,
    shareOf: (rule, mean) => pool({ mean, variance }, byRule.get(rule) ?? [], here, settings, trust),
  };
}

function recordsOf(outcomes: readonly FixOutcome[]): Map<RuleId, Recorded[]> {
  const dates = outcomes.map(({ date }) => Date.parse(date));
  const newest = dates.reduce((latest, date) => (date > latest ? date : latest), -Infinity);
  const byRule = new Map<RuleId, Recorded[]>();
  for (const [at, outcome] of outcomes.entries()) {
    const age_days = (newest - dates[at]!) / DAY_MS;
    const own = byRule.get(outcome.rule) ?? [];
    byRule.set(outcome.rule, own);
    own.push({ ...shareOf(outcome), age_days: Number.isNaN(age_days) ? 0 : age_days });
  }
  return byRule;
}

/** How much of its rule's promise a fix kept, in log time. */
function shareOf({ session, kind, device, ...outcome }: FixOutcome): Omit<Recorded, 'age_days'> {
  const promise = Math.max(logGain(outcome.expected_gain_pct), LEAST_PROMISE);
  const [low, high] = outcome.ci_pct ?? [];
  const noise =
    low === undefined || high === undefined
      ? USUAL_NOISE
      : Math.max(LEAST_NOISE, (logGain(high) - logGain(low)) / (2 * CI_DEVIATIONS));
  return {
    session,
    kind,
    device,
    value: logGain(outcome.change_pct) / promise,
    variance: (noise / promise) ** 2,
  };
}
