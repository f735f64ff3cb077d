import { relative } from 'node:path';

import { defined } from '../../model/defined.ts';
import type { LoadedConfig } from '../../config/load-config.ts';
import { casesOf, underJudge } from '../../config/under-judge.ts';
import type { CiPolicy, CiRun } from '../../model/reports/ci-run.ts';
import type { JudgeAcceptance, JudgeChange } from '../../model/judge/judge-change.ts';
import { policyOf as judgePolicyOf } from '../../judge/judge-policy.ts';
import { PawlError } from '../../model/pawl-error.ts';
import { readBaselineText } from '../../ratchet/update-baseline.ts';
import { ruleOnJudge } from '../../ratchet/base-judge/rule-on-judge.ts';
import type { CheckOptions } from '../check/check-options.ts';
import { keyFrom } from '../../ratchet/baseline-file.ts';
import type { BaseSide } from './base-side.ts';
import { baselineChanges } from '../../ratchet/baseline-changes.ts';

/** What is known of a run so far; a failure later takes nothing of it away. */
export interface Findings {
  judge_changes: JudgeChange[];
  judge_accepted?: JudgeAcceptance;
  policy?: CiPolicy;
  check?: CiRun['check'];
  failure?: NonNullable<CiRun['failure']>;
}

interface RuleOptions {
  readonly policy?: CheckOptions['policy'];
  readonly trusted?: boolean;
  readonly undecided?: CiPolicy['undecided'];
  readonly profile?: CiPolicy['profile'];
}

export type BaseRules = Pick<CheckOptions, 'ruling' | 'baselineText' | 'waiversOf' | 'baseCommit'>;

/** The judge as it was before the change, and what the change makes of it. */
export async function rulesOfBase(
  base: BaseSide,
  head: LoadedConfig,
  options: RuleOptions & CheckOptions & { readonly baseline: string; readonly signal: AbortSignal },
  found: Pick<Findings, 'judge_changes' | 'judge_accepted' | 'policy'>,
): Promise<BaseRules> {
  found.judge_changes.push(
    ...base.workflowFiles.map((file): JudgeChange => ({
      kind: 'workflow',
      subject: file,
      text: `${file}, which runs this gate, was edited`,
    })),
  );
  if (base.loaded instanceof PawlError) {
    const text = 'the base has no valid pawl.yaml: this change was judged by its own rules';
    found.judge_changes.push({ kind: 'no-base', subject: 'pawl.yaml', text });
    found.policy = policyOf(options, head, 'head');
    return { ruling: { judge: head, judge_changes: [] } };
  }
  const ruling = await ruleOnJudge(base.loaded, head, {
    main: head,
    signal: options.signal,
    accept: options.acceptJudgeChange === true,
    gpuIndex: options.gpu ?? 0,
    ...defined({ only: options.only, onProgress: options.onProgress, now: options.now }),
  });
  found.judge_changes.push(...ruling.judge_changes);
  if (ruling.judge_accepted !== undefined) found.judge_accepted = ruling.judge_accepted;
  found.policy = policyOf(options, ruling.judge, ruling.judge === head ? 'head' : 'base');
  const inFile = baselineChanges(base.baselineText, await readBaselineText(options.baseline), {
    label: relative(head.root, options.baseline),
    trusted: options.trusted !== false,
    key: keyFrom({}),
  });
  found.judge_changes.push(...inFile.changes);
  const judged = underJudge(base.loaded, ruling.judge);
  return {
    ruling,
    baselineText: base.baselineText ?? null,
    ...defined({ waiversOf: inFile.waiversOf }),
    baseCommit: {
      commit: base.commit,
      has: (name, wanted) => casesOf(judged, name).has(wanted),
    },
  };
}

export function policyOf(options: RuleOptions, { config }: LoadedConfig, source: 'base' | 'head'): CiPolicy {
  const { regressionPct, improvementPct } = options.policy ?? {};
  const isGiven = regressionPct !== undefined || improvementPct !== undefined;
  const { caseRegressionPct: case_regression_pct } = judgePolicyOf(config.thresholds, options.policy);
  return {
    source: isGiven ? 'inputs' : source,
    regression_pct: regressionPct ?? config.thresholds.regression_pct,
    improvement_pct: improvementPct ?? config.thresholds.improvement_pct,
    ...defined({ case_regression_pct }),
    undecided: options.undecided ?? 'pass',
    profile: options.profile ?? 'auto',
  };
}
