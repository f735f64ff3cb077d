import type { FixOutcome, RankedFix } from '../../model/learn/advice.ts';
import type { Finding } from '../../model/profile/diagnosis.ts';
import { explainFix } from './explain-fix.ts';
import { fixModel, type FixModel } from './fix-model.ts';
import { LIKENESS, likeness, type Place } from './likeness.ts';
import { logGain, savedPct } from './log-gain.ts';
import { FIX_SETTINGS, type FixSettings } from './settings.ts';

export interface RankFixesOptions extends Place {
  /** In the rules' own order. */
  readonly findings: readonly Finding[];
  readonly outcomes: readonly FixOutcome[];
  readonly settings?: FixSettings;
}

/** 10 % lie below, 10 % above: 1.2816 is the normal distribution's 0.9 quantile. */
const DEVIATIONS_80 = 1.2815515655446004;
/** What a comparison adds to one fix's gain, in log time. */
const COMPARISON_VARIANCE = 0.01 ** 2;
/** More than can be looked at; the counts are of all. */
const MOST_EVIDENCE = 12;

/** Findings by what their fix can be expected to bring; without recorded outcomes in the rules' own order. */
export function rankFixes({
  findings,
  outcomes,
  kind,
  device,
  settings = FIX_SETTINGS,
}: RankFixesOptions): RankedFix[] {
  const here = { kind, device };
  const model = fixModel(outcomes, here, settings);
  let most = Infinity;
  const estimates = findings.map((finding, at) => {
    const promise = logGain(finding.expected_gain_pct);
    // What the rules place lower does not start above what they place higher: they know the limiter, gains do not.
    most = Math.min(most, promise);
    return { finding, ruleRank: at + 1, ...estimate(finding, promise, most, model) };
  });
  const ranked = estimates.toSorted((one, other) => other.gain - one.gain || one.ruleRank - other.ruleRank);
  return ranked.map(({ finding, ruleRank, gain, deviation, weight }, at) => {
    const { rule, diagnosis, fix, expected_gain_pct: rule_gain_pct } = finding;
    const own = evidenceFor(rule, outcomes, here);
    const fixed = {
      rank: at + 1,
      rule,
      diagnosis,
      fix,
      rule_gain_pct,
      expected_gain_pct: round(savedPct(gain)),
      ci_pct: [
        round(savedPct(gain - DEVIATIONS_80 * deviation)),
        round(savedPct(gain + DEVIATIONS_80 * deviation)),
      ] as [number, number],
      outcomes: own.length,
      weight: round(weight),
    };
    const explanation = explainFix(fixed, {
      evidence: own,
      here,
      ruleRank,
      share: model.share,
      anyRecorded: outcomes.length > 0,
    });
    return Object.assign(fixed, { evidence: own.slice(0, MOST_EVIDENCE), explanation });
  });
}

interface Estimate {
  readonly gain: number;
  readonly deviation: number;
  readonly weight: number;
}

/** In log time: the share of the promise that is expected, times the promise, and how far one fix may lie off it. */
function estimate({ rule }: Finding, promise: number, mostAtStart: number, model: FixModel): Estimate {
  if (promise <= 0) return { gain: 0, deviation: 0, weight: 0 };
  const start = (model.share * mostAtStart) / promise;
  const { mean, variance, weight } = model.shareOf(rule, start);
  const spread = promise ** 2 * (variance + model.scatterVariance) + COMPARISON_VARIANCE;
  // Where nothing was recorded, findings that start alike stay alike to the last digit.
  const gain = model.share * mostAtStart + promise * (mean - start);
  return { gain, deviation: Math.sqrt(spread), weight };
}

/** The most alike first, then the newest. */
function evidenceFor(rule: string, outcomes: readonly FixOutcome[], here: Place): FixOutcome[] {
  const order = (outcome: FixOutcome): number => LIKENESS.indexOf(likeness(outcome, here));
  return outcomes
    .filter((outcome) => outcome.rule === rule)
    .toSorted(
      (one, other) =>
        order(one) - order(other) ||
        (one.date < other.date ? 1 : one.date > other.date ? -1 : 0) ||
        one.try - other.try,
    );
}

/** Two decimals: more would pretend. */
function round(value: number): number {
  return Math.round(100 * value) / 100;
}
