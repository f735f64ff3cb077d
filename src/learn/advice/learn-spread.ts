import { median } from '../../stats/quantile.ts';
import type { PlaceRecords } from './places.ts';
import { ownVariance } from './places.ts';
import { placeMean } from './pool.ts';
import type { FixSettings, PoolSettings } from './settings.ts';

/** Values further off than this many standard deviations say that something is broken, not how far values scatter. */
const CLIPPED_AT = 3;

/** One rule, or all sessions: what has one mean. */
export type Group = readonly PlaceRecords[];

interface GroupMean {
  readonly mean: number;
  readonly precision: number;
}

/** Of the mean of a group over all places: places count by how exactly they are known and how far they may be off. */
function groupMean(group: Group, settings: PoolSettings): GroupMean {
  const middle = median(group.flatMap(({ values }) => values.map(({ value }) => value)));
  const own = ownVariance(settings);
  let precision = 0;
  let sum = 0;
  for (const { values } of group) {
    const place = placeMean(values, middle, settings);
    const share = 1 / (1 / place.precision + own);
    precision += share;
    sum += share * place.mean;
  }
  return { mean: sum / precision, precision };
}

/** How far values of one place scatter, by the method of moments; the setting counts as so many values. */
export function learnScatter<Settings extends PoolSettings>(
  groups: readonly Group[],
  settings: Settings,
): Settings {
  const { scatterVariance, scatterWorth } = settings;
  const own = ownVariance(settings);
  let sum = scatterWorth * scatterVariance;
  let count = scatterWorth;
  for (const group of groups) {
    const { mean } = groupMean(group, settings);
    let squares = 0;
    let weights = 0;
    for (const { values } of group) {
      for (const { value, variance, weight } of values) {
        const most = CLIPPED_AT ** 2 * (scatterVariance + own + variance);
        squares += weight * (Math.min((value - mean) ** 2, most) - own - variance);
        weights += weight;
      }
    }
    // One value is its own mean.
    if (weights <= 1) continue;
    sum += squares + own + scatterVariance;
    count += weights - 1;
  }
  return { ...settings, scatterVariance: Math.max(sum / count, scatterVariance / 4) };
}

/**
 * The share that fixes of all rules bring, and how far rules differ in it (DerSimonian & Laird, "Meta-analysis in
 * clinical trials", 1986): every rule is one piece of evidence, however often it was tried.
 */
export function learnShare(groups: readonly Group[], settings: FixSettings): FixSettings {
  const means = groups.map((group) => groupMean(group, settings));
  const { share, shareVariance } = settings;
  const ruleVariance = betweenRules(means, settings);
  let precision = 1 / shareVariance;
  let sum = share / shareVariance;
  for (const rule of means) {
    const own = 1 / (1 / rule.precision + ruleVariance);
    precision += own;
    sum += own * rule.mean;
  }
  return { ...settings, share: sum / precision, shareVariance: 1 / precision, ruleVariance };
}

function betweenRules(means: readonly GroupMean[], { ruleVariance, ruleWorth }: FixSettings): number {
  if (means.length < 2) return ruleVariance;
  let total = 0;
  let squares = 0;
  let sum = 0;
  for (const { mean, precision } of means) {
    total += precision;
    squares += precision ** 2;
    sum += precision * mean;
  }
  const middle = sum / total;
  const q = means.reduce((all, { mean, precision }) => all + precision * (mean - middle) ** 2, 0);
  const seen = Math.max(0, (q - (means.length - 1)) / (total - squares / total));
  const learnt = (ruleWorth * ruleVariance + means.length * seen) / (ruleWorth + means.length);
  // Never above the setting: broken comparisons look like rules that differ wildly, and would then be believed.
  return Math.min(learnt, ruleVariance);
}
