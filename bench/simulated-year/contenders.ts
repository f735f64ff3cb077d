import { likeness, type Likeness, type Place } from '../../src/learn/advice/likeness.ts';
import { logGain } from '../../src/learn/advice/log-gain.ts';
import { rankFixes } from '../../src/learn/advice/rank-fixes.ts';
import { FIX_SETTINGS, type FixSettings } from '../../src/learn/advice/settings.ts';
import type { FixOutcome, RankedFix } from '../../src/model/learn/advice.ts';
import type { RuleId } from '../../src/model/profile/diagnosis-words.ts';
import type { SimulatedFinding } from './world.ts';

/** Puts a session's findings in order. `truth` is for the oracle only. */
export interface Contender {
  readonly name: string;
  readonly order: (
    findings: readonly SimulatedFinding[],
    outcomes: readonly FixOutcome[],
    place: Place,
  ) => { readonly rules: readonly RuleId[]; readonly ranked?: readonly RankedFix[] };
}

const rulesOf = (findings: readonly SimulatedFinding[]): RuleId[] => findings.map(({ rule }) => rule);

export const STATIC: Contender = {
  name: 'rules alone',
  order: (findings) => ({ rules: rulesOf(findings) }),
};

export const ORACLE: Contender = {
  name: 'oracle',
  order: (findings) => ({
    rules: rulesOf(findings.toSorted((one, other) => other.expected - one.expected)),
  }),
};

export function learning(name: string, changed: Partial<FixSettings> = {}): Contender {
  const settings = { ...FIX_SETTINGS, ...changed };
  return {
    name,
    order: (findings, outcomes, place) => {
      const ranked = rankFixes({
        findings: findings.map(({ rule, promise_pct }) => ({
          rule,
          priority: 1,
          evidence: {},
          diagnosis: '',
          fix: '',
          expected_gain_pct: promise_pct,
        })),
        outcomes,
        ...place,
        settings,
      });
      return { rules: ranked.map(({ rule }) => rule), ranked };
    },
  };
}

const WEIGHTS: Readonly<Record<Likeness, number>> = {
  here: 1,
  'same-kind': 0.5,
  'same-device': 0.5,
  other: 0.25,
};
/** As many outcomes as the prior is worth. */
const PRIOR = 2;

/** A weighted mean with a prior worth two outcomes: of shares of the promise, or of the gains themselves. */
function weightedMean(name: string, of: 'share' | 'gain'): Contender {
  return {
    name,
    order: (findings, outcomes, place) => {
      const scored = findings.map(({ rule, promise_pct }) => {
        const promise = logGain(promise_pct);
        let weight = PRIOR;
        let sum = PRIOR * 0.5 * (of === 'share' ? 1 : promise);
        for (const outcome of outcomes) {
          if (outcome.rule !== rule) continue;
          const own = WEIGHTS[likeness(outcome, place)];
          const gain = logGain(outcome.change_pct);
          weight += own;
          sum += own * (of === 'share' ? gain / logGain(outcome.expected_gain_pct) : gain);
        }
        return { rule, expected: (sum / weight) * (of === 'share' ? promise : 1) };
      });
      return {
        rules: scored.toSorted((one, other) => other.expected - one.expected).map(({ rule }) => rule),
      };
    },
  };
}

/** What else the model could be: one thing changed at a time. */
export const ABLATIONS: readonly Contender[] = [
  learning('discount not learnt', { shareVariance: 1e-9 }),
  learning('scatter not learnt', { scatterWorth: 1e9 }),
  learning('spread of rules not learnt', { ruleWorth: 1e9 }),
  learning('trust not learnt', { trustWorth: 1e9 }),
  learning('no likeness: all places are one', { kindVariance: 0, deviceVariance: 0, familyVariance: 0 }),
  learning('only the same kind and device', { kindVariance: 1e6, deviceVariance: 1e6, familyVariance: 1e6 }),
  learning('likeness variances halved', scaledPlaces(0.5)),
  learning('likeness variances doubled', scaledPlaces(2)),
  learning('no cap on a session', { sessionCap: Infinity }),
  learning('cap of 2', { sessionCap: 2 }),
  learning('no outlier weights', { outlierFrom: Infinity }),
  learning('outliers from 1', { outlierFrom: 1 }),
  learning('outliers from 2.5', { outlierFrom: 2.5 }),
  learning('nothing is forgotten', { halfLife_days: Infinity }),
  learning('half-life 90 days', { halfLife_days: 90 }),
  weightedMean('fixed weights 1, ½, ½, ¼, of shares', 'share'),
  weightedMean('fixed weights, of gains', 'gain'),
];

function scaledPlaces(factor: number): Partial<FixSettings> {
  const { kindVariance, deviceVariance, familyVariance } = FIX_SETTINGS;
  return {
    kindVariance: factor * kindVariance,
    deviceVariance: factor * deviceVariance,
    familyVariance: factor * familyVariance,
  };
}
