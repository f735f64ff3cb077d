import type { Group } from './learn-spread.ts';
import type { Place } from './likeness.ts';
import { ownVariance } from './places.ts';
import { placeMean, pool } from './pool.ts';
import type { FixSettings } from './settings.ts';

/** All kinds together: no kernel's own. */
const ANY_KIND = '';

/**
 * How much of what other devices say about rules holds on this one: the slope of what was recorded here over what the
 * others would have had expected, both from the mean of all rules; 1 to begin with, and never below 0.
 */
export function learnTrust(groups: readonly Group[], { device }: Place, settings: FixSettings): number {
  const prior = { mean: settings.share, variance: settings.ruleVariance };
  const usual = settings.ruleVariance / (settings.scatterVariance + ownVariance(settings));
  let products = settings.trustWorth * usual;
  let squares = settings.trustWorth * usual;
  for (const group of groups) {
    const others = group.filter(({ place }) => place.device !== device);
    const own = group.filter(({ place }) => place.device === device).flatMap(({ values }) => values);
    if (others.length === 0 || own.length === 0) continue;
    const expected = pool(prior, others, { kind: ANY_KIND, device }, settings);
    const seen = placeMean(own, expected.mean, settings);
    const weight = 1 / (expected.variance + 1 / seen.precision);
    products += weight * (seen.mean - prior.mean) * (expected.mean - prior.mean);
    squares += weight * (expected.mean - prior.mean) ** 2;
  }
  return Math.min(1, Math.max(0, products / squares));
}
