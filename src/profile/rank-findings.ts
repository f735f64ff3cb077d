/** Which findings are worth saying, and in which order. */
import type { Limit } from './rules/limiter.ts';
import type { Rule, RuleOutcome } from './rules/rule.ts';

export interface Fired {
  readonly rule: Rule;
  readonly outcome: RuleOutcome;
}

/** Less than this is within what counters of two passes differ by. */
const WORTH_SAYING_PCT = 2;
/** A cause explains a symptom that would gain up to twice as much: estimates are not better than that. */
const EXPLAINS_FACTOR = 0.5;
/** Waits are explanations, not a list of complaints. */
const MOST_WAITS = 2;

/**
 * A broken measurement stands alone. At a limit, only causes of that limit count, and without one the kernel is
 * simply there. Otherwise symptoms of what was found are dropped, and the rest is ordered: what bears on the limit
 * first, then the larger gain (of the whole kernel before a part of it), then the priority.
 */
export function rankFindings(fired: readonly Fired[], limit: Limit): readonly Fired[] {
  const broken = fired.filter(({ rule }) => rule.id === 'measurement-broken');
  if (broken.length > 0) return broken;
  const bears = ({ rule, outcome }: Fired): boolean =>
    outcome.isAside !== true && rule.bearsOn.includes(limit.limiter);
  const relevant = fired.filter((one) => isRelevant(one, limit, bears(one)));
  const told = relevant.filter((one) => !isSymptom(one, relevant.filter(bears)));
  const exact = told.filter(({ rule }) => rule.kind === 'cause' || rule.kind === 'wait');
  // A limit goes without saying where something more exact bears on it; a verdict of health, where anything does.
  const general = told.filter(({ rule }) =>
    rule.kind === 'limit' ? !exact.some(bears) : exact.length === 0,
  );
  const ordered = [...exact, ...general].toSorted(
    (one, other) =>
      Number(bears(other)) - Number(bears(one)) ||
      Math.round(weight(other)) - Math.round(weight(one)) ||
      one.rule.priority - other.rule.priority ||
      one.rule.id.localeCompare(other.rule.id),
  );
  const waits = ordered.filter(({ rule }) => rule.kind === 'wait').slice(MOST_WAITS);
  return ordered.filter((one) => !waits.includes(one));
}

function isRelevant({ rule, outcome }: Fired, limit: Limit, bearsOnLimit: boolean): boolean {
  if (rule.kind === 'verdict') return true;
  if (limit.atLimit && (!bearsOnLimit || rule.kind === 'wait')) return false;
  return rule.kind === 'cause' ? outcome.gainPct >= WORTH_SAYING_PCT : bearsOnLimit;
}

function isSymptom(one: Fired, others: readonly Fired[]): boolean {
  return others.some(
    ({ rule, outcome }) =>
      one.rule.symptomOf.includes(rule.id) &&
      outcome.isPartial !== true &&
      outcome.gainPct >= EXPLAINS_FACTOR * one.outcome.gainPct,
  );
}

/** A part of the time may hide behind other parts: its gain counts for less than one of the whole. */
const LOCAL_WEIGHT = 0.8;
const weight = ({ rule, outcome }: Fired): number =>
  outcome.gainPct * (rule.scope === 'local' ? LOCAL_WEIGHT : 1);
