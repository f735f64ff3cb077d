import type { FixOutcome } from '../../model/advice.ts';
import type { RuleId } from '../../model/diagnosis-words.ts';
import type { Place } from './likeness.ts';
import { logGain } from './log-gain.ts';
import { pool, type Normal, type Recorded } from './pool.ts';
import type { FixSettings } from './settings.ts';

/** What recorded outcomes say about fixes at one place. */
export interface FixModel {
  /** The share of a rule's estimate that fixes of any rule bring. */
  readonly share: Normal;
  /** The recorded shares of one rule. */
  readonly of: (rule: RuleId) => readonly Recorded[];
}

const MS_PER_DAY = 86_400_000;
/** Half of a 95 % interval, in standard deviations. */
const CI_DEVIATIONS = 1.96;
/** Comparisons without an interval, and the least that any comparison is off by: another process layout, another day. */
const USUAL_NOISE = 0.01;
const LEAST_NOISE = 0.005;
/** Below this a promise is smaller than what comparisons are good for, and a share of it means nothing. */
const LEAST_PROMISE = 0.01;

export function fixModel(outcomes: readonly FixOutcome[], here: Place, settings: FixSettings): FixModel {
  const dates = outcomes.map(({ date }) => Date.parse(date));
  const newest = Math.max(...dates.filter((date) => !Number.isNaN(date)));
  const byRule = new Map<RuleId, Recorded[]>();
  for (const [at, outcome] of outcomes.entries()) {
    const age_days = (newest - dates[at]!) / MS_PER_DAY;
    const own = byRule.get(outcome.rule) ?? [];
    byRule.set(outcome.rule, own);
    own.push({ ...shareOf(outcome), age_days: Number.isNaN(age_days) ? 0 : age_days });
  }
  return {
    share: shareOfAll([...byRule.values()], here, settings),
    of: (rule) => byRule.get(rule) ?? [],
  };
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

/** Every rule is one piece of evidence about rules, however often it was tried. */
function shareOfAll(rules: readonly (readonly Recorded[])[], here: Place, settings: FixSettings): Normal {
  const { share, shareVariance, ruleVariance } = settings;
  let precision = 1 / shareVariance;
  let sum = share / shareVariance;
  for (const records of rules) {
    const { data } = pool({ mean: share, variance: ruleVariance }, records, here, settings);
    const own = 1 / (1 / data.precision + ruleVariance);
    precision += own;
    sum += own * data.mean;
  }
  return { mean: sum / precision, variance: 1 / precision };
}
