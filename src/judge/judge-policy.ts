import type { Config } from '../config/schema.ts';
import type { Correction } from '../model/judge/comparison.ts';
import type { IntervalLimits } from '../model/judge/read-interval.ts';
import { caseLabel } from '../model/judge/case-key.ts';
import type { CaseKey } from '../model/judge/comparison.ts';
import { PawlError } from '../model/pawl-error.ts';

/** What counts as a change, and how often the verdict may be wrong (docs/statistics.md). */
export interface JudgePolicy {
  /**
   * What a slowdown between nothing and the threshold is. `gate`: it passes where it is shown to be below the
   * threshold, as the user who sets one expects. `tell-apart`: it is a difference where it is nearer to the threshold than to
   * nothing; for those who ask which of two is faster, and for controls.
   */
  readonly question: IntervalLimits['question'];
  /** From this slowdown on it fails. */
  readonly regressionPct: number;
  /** Cases that have a threshold of their own, by `kernel/case`. */
  readonly caseRegressionPct?: Readonly<Record<string, number>>;
  /** A gain worth advancing the baseline to. */
  readonly improvementPct: number;
  readonly correction: Correction;
  /** Chance, at most, that unchanged code is called regressed; likewise improved. */
  readonly falseAlarm: number;
  /** Chance, at most, that code slower by `regressionPct` is called maintained. */
  readonly miss: number;
  /** Compare although the sides ran on different devices or drivers. */
  readonly allowDeviceMismatch: boolean;
}

/**
 * The thresholds are those of the specification. Alarms are the rarer error because a gate that cries wolf is
 * switched off, while a missed slowdown is met again at the next commit, which is compared with the same baseline.
 */
export const JUDGE_DEFAULTS: JudgePolicy = {
  question: 'gate',
  regressionPct: 3,
  improvementPct: 5,
  correction: 'holm',
  falseAlarm: 0.005,
  miss: 0.01,
  allowDeviceMismatch: false,
};

/**
 * For who asks which of two is faster. The verdict turns in the middle between nothing and the threshold, so that code
 * slower by the threshold is far from being called the same; the bound for that may be looser.
 */
export const TELL_APART = { question: 'tell-apart', miss: 0.025 } as const;

/**
 * The policy of a project, by its thresholds and by what was asked for this time. A threshold that was asked for holds
 * for every case: a user who gives `--threshold` need not know what pawl.yaml says of single ones.
 */
export function policyOf(
  {
    regression_pct,
    improvement_pct,
    cases,
  }: Pick<Config['thresholds'], 'regression_pct' | 'improvement_pct' | 'cases'>,
  asked: Partial<JudgePolicy> = {},
): JudgePolicy {
  const own = Object.entries(cases).map(([name, one]) => [name, one.regression_pct] as const);
  return {
    ...JUDGE_DEFAULTS,
    regressionPct: regression_pct,
    improvementPct: improvement_pct,
    ...(own.length === 0 || asked.regressionPct !== undefined
      ? {}
      : { caseRegressionPct: Object.fromEntries(own) }),
    ...asked,
  };
}

/** The policy for one case: its own threshold, where it has one. */
export function policyForCase(policy: JudgePolicy, key: Pick<CaseKey, 'kernel' | 'case'>): JudgePolicy {
  const own = policy.caseRegressionPct;
  const name = caseLabel(key);
  if (own === undefined || !Object.hasOwn(own, name)) return policy;
  return { ...policy, regressionPct: own[name]! };
}

/** The policy on the scale the statistics work on: differences of logarithms, positive is slower. */
export interface Limits extends IntervalLimits {
  /** Two-sided level of the verdict's test: before it is shared among cases. */
  readonly alpha: number;
  /** One-sided level of the watch on the median. */
  readonly medianTail: number;
  readonly missTail: number;
}

/** The part of the false alarms that the watch on the median may use up; the level's own test has the rest. */
const MEDIAN_SHARE = 0.2;

export function limitsOf(policy: JudgePolicy): Limits {
  const { regressionPct, improvementPct, falseAlarm, miss } = policy;
  if (!(regressionPct > 0 && Number.isFinite(regressionPct))) {
    throw new PawlError(
      'usage',
      `the regression threshold must be greater than 0 %, not ${regressionPct}`,
      'The default is 3.',
    );
  }
  if (!(improvementPct > 0 && improvementPct < 100)) {
    throw new PawlError(
      'usage',
      `the improvement threshold must be between 0 and 100 %, not ${improvementPct}`,
      'The default is 5.',
    );
  }
  if (!(falseAlarm > 0 && falseAlarm < 0.5 && miss > 0 && miss < 0.5)) {
    throw new PawlError('usage', 'error rates must be between 0 and 0.5', 'The defaults are 0.005 and 0.01.');
  }
  return {
    question: policy.question,
    slowdown: Math.log1p(regressionPct / 100),
    gain: -Math.log1p(-improvementPct / 100),
    alpha: 2 * falseAlarm * (1 - MEDIAN_SHARE),
    medianTail: falseAlarm * MEDIAN_SHARE,
    missTail: miss,
  };
}
