import { defined } from '../../model/defined.ts';
import { BASELINE_FILE } from '../../model/judge/baseline.ts';
import { caseId, caseLabel } from '../../model/judge/case-key.ts';
import type { CheckReport } from '../../model/reports/check-report.ts';
import {
  CI_CONCLUSIONS,
  CI_VERDICTS,
  conclusionOf,
  type CiPolicy,
  type CiRun,
} from '../../model/reports/ci-run.ts';
import type { CaseComparison, CaseKey } from '../../model/judge/comparison.ts';
import { omit } from '../../model/omit.ts';
import { VERDICT, worse, worstVerdict } from '../../model/judge/verdict.ts';
import { supportedVerdict, type Thresholds } from './supported-verdict.ts';

/** What is known about a run from elsewhere than its own report. */
export interface Trust {
  readonly isFork: boolean;
  readonly head_sha: string;
  /** Of the workflow, by the code host. */
  readonly conclusion: 'success' | 'failure';
  /** The gate, where the workflow that publishes names it. */
  readonly thresholds: { readonly regression_pct?: number; readonly improvement_pct?: number };
  readonly undecided?: 'pass' | 'fail';
}

export interface DistrustedRun {
  readonly run: CiRun;
  /** What a reader must know, in our own words: none of it comes from the report. */
  readonly notices: readonly string[];
}

const FORK_NOTICE =
  'Measured by code of this pull request; not used for the baseline. Its check is neutral at best.';

/** More than these are not read: they only fill the page. */
const MOST_NOTES = 50;
const MOST_PROFILES = 10;

const COMMIT = /^[0-9a-f]{7,64}$/u;
/** Parts begin with a letter or digit: no `..`, nothing absolute, no scheme, nothing to escape. */
const PLAIN_PATH = /^(?=.{1,200}$)\w[\w.=,+-]*(?:\/\w[\w.=,+-]*)*$/u;

/**
 * What of a report may be shown. Its claims about itself count only against it: the verdict is worked out again from
 * its cases, what it says to have done to a baseline did not happen, and whose commit it was is not its to say.
 */
export function distrustRun(claimed: CiRun, trust: Trust): DistrustedRun {
  const notices = trust.isFork ? [FORK_NOTICE] : [];
  const thresholds = strictest(claimed, trust);
  const forCase = thresholdOfCase(claimed, trust, thresholds);
  const check = claimed.check && distrustCheck(claimed.check, { thresholds, forCase }, trust.head_sha);
  const verdict = verdictOf(claimed, check);
  const undecided = trust.undecided ?? claimed.policy?.undecided ?? 'pass';
  let best = conclusionOf(verdict, undecided);
  if (check !== undefined && check.waived.length > 0 && trust.isFork) {
    notices.push('Its waivers were not checked against the baseline.');
  }
  if (trust.conclusion === 'failure' && best === 'success') {
    best = 'neutral';
    notices.push('The workflow itself failed, whatever its report says.');
  }
  // The workflow file of a fork's run is the fork's own, and so is every word of its report: no check vouches for it.
  if (trust.isFork) best = worse(CI_CONCLUSIONS, best, 'neutral');
  const conclusion = worse(CI_CONCLUSIONS, best, claimed.conclusion);
  if (verdict !== claimed.verdict || (conclusion !== claimed.conclusion && !trust.isFork)) {
    notices.push(`The run claims ${claimed.verdict}; this is what its own numbers support.`);
  }
  if (isLooser(claimed, thresholds, forCase)) {
    notices.push(`It was judged by looser rules than those of this repository, which are used here.`);
  }
  return {
    run: {
      ...claimed,
      verdict,
      conclusion,
      steps: claimed.steps.map((step) =>
        step.name === 'baseline' ? { name: step.name, status: 'skipped' } : step,
      ),
      ...(claimed.policy === undefined
        ? {}
        : { policy: { ...trustedPolicy(claimed.policy, trust), ...thresholds, undecided } }),
      ...defined({ check }),
      judge_changes: claimed.judge_changes.slice(0, MOST_NOTES),
    },
    notices,
  };
}

function trustedPolicy(policy: CiPolicy, { thresholds }: Trust): CiPolicy {
  return thresholds.regression_pct === undefined ? policy : omit(policy, 'case_regression_pct');
}

function verdictOf(claimed: CiRun, check: CheckReport | undefined): CiRun['verdict'] {
  if (check === undefined || claimed.failure !== undefined) return 'failed';
  return worse<CiRun['verdict']>(CI_VERDICTS, claimed.verdict, check.verdict);
}

/** What the publishing workflow says, else the stricter of what the report says in two places. */
function strictest({ policy, check }: CiRun, { thresholds }: Trust): Thresholds {
  const claims = [policy, check?.comparison.thresholds].filter((one) => one !== undefined);
  const pick = (name: keyof Thresholds): number =>
    thresholds[name] ?? Math.min(...claims.map((claim) => claim[name]), 100);
  return { regression_pct: pick('regression_pct'), improvement_pct: pick('improvement_pct') };
}

type ForCase = (one: CaseComparison) => Thresholds;

/**
 * A case may have a threshold of its own, by the word of the report's policy and of the case: the stricter of the two
 * counts. Where the publishing workflow names a threshold, it holds for every case.
 */
function thresholdOfCase({ policy }: CiRun, trust: Trust, thresholds: Thresholds): ForCase {
  if (trust.thresholds.regression_pct !== undefined) return () => thresholds;
  const stated = policy?.case_regression_pct ?? {};
  return (one) => {
    const name = caseLabel(one);
    const byPolicy = Object.hasOwn(stated, name) ? stated[name]! : thresholds.regression_pct;
    const regression_pct = Math.min(byPolicy, one.threshold_pct ?? thresholds.regression_pct);
    return { ...thresholds, regression_pct };
  };
}

function isLooser({ policy, check }: CiRun, { regression_pct }: Thresholds, forCase: ForCase): boolean {
  return (
    [policy, check?.comparison.thresholds].some((one) => (one?.regression_pct ?? 0) > regression_pct) ||
    (check?.comparison.cases ?? []).some((one) => (one.threshold_pct ?? 0) > forCase(one).regression_pct)
  );
}

function distrustCheck(
  check: CheckReport,
  { thresholds, forCase }: { readonly thresholds: Thresholds; readonly forCase: ForCase },
  head_sha: string,
): CheckReport {
  const cases = check.comparison.cases.map((one) => {
    const own = forCase(one);
    const { threshold_pct: _, ...rest } = distrustCase(one, own);
    const isOwn = own.regression_pct !== thresholds.regression_pct;
    return { ...rest, ...(isOwn ? { threshold_pct: own.regression_pct } : {}) };
  });
  const slow = new Set(cases.filter(({ verdict }) => VERDICT[verdict].isWaivable).map(caseId));
  const waived = check.waived.filter(({ key }) => slow.has(caseId(key)));
  const accepted = new Set(waived.map(({ key }) => caseId(key)));
  const open = cases.filter((one) => !accepted.has(caseId(one)));
  // Waivers accept what they name: where they name everything, nothing is left that got slower.
  const verdict = cases.length > 0 && open.length === 0 ? 'maintained' : worstVerdict(open);
  const { base_commit, commit: _, advanced: __, baseline, ...rest } = check;
  return {
    ...rest,
    verdict,
    comparison: {
      ...check.comparison,
      thresholds,
      verdict: worstVerdict(cases),
      cases,
    },
    waived,
    // A pull request never moves a baseline, whatever its report says.
    advanced: [],
    commit: head_sha,
    ...(base_commit !== undefined && COMMIT.test(base_commit) ? { base_commit } : {}),
    ...(baseline === undefined ? {} : { baseline: { path: BASELINE_FILE } }),
    ...(check.profiles === undefined ? {} : { profiles: plainProfiles(check.profiles, cases) }),
    ...(check.not_profiled === undefined ? {} : { not_profiled: check.not_profiled.slice(0, MOST_NOTES) }),
    notes: check.notes.slice(0, MOST_NOTES),
    files: Object.fromEntries(
      Object.entries(check.files).filter(([name, path]) => PLAIN_PATH.test(name) && PLAIN_PATH.test(path)),
    ),
  };
}

function distrustCase(one: CaseComparison, thresholds: Thresholds): CaseComparison {
  const verdict = supportedVerdict(one, thresholds);
  if (verdict === one.verdict) return one;
  const reason = `the run called it ${one.verdict}, which its own numbers do not support.`;
  return { ...one, verdict, reason };
}

type Profile = NonNullable<CheckReport['profiles']>[number];

function plainProfiles(profiles: readonly Profile[], cases: readonly CaseKey[]): Profile[] {
  const known = new Set(cases.map(caseId));
  return profiles
    .filter(({ key }) => known.has(caseId(key)))
    .slice(0, MOST_PROFILES)
    .map(plainProfile);
}

function plainProfile({ folder, at, ...rest }: Profile): Profile {
  return {
    ...rest,
    ...(at !== undefined && PLAIN_PATH.test(at.path) ? { at } : {}),
    ...(folder !== undefined && PLAIN_PATH.test(folder) ? { folder } : {}),
  };
}
