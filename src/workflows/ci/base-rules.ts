import { relative } from 'node:path';

import { kernelCases } from '../../config/kernel-cases.ts';
import type { LoadedConfig } from '../../config/load-config.ts';
import type { CiPolicy, CiRun } from '../../model/ci-run.ts';
import { PawlError } from '../../model/pawl-error.ts';
import { readBaselineText } from '../../ratchet/update-baseline.ts';
import type { CheckOptions } from '../check.ts';
import { gateRules } from '../check/gate-rules.ts';
import { keyFrom } from '../ratchet/baseline-file.ts';
import type { BaseSide } from './base-side.ts';
import { baselineChanges } from './baseline-changes.ts';
import { gateChanges } from './gate-changes.ts';

/** What is known of a run so far; a failure later takes nothing of it away. */
export interface Findings {
  gate_changes: string[];
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

export type BaseRules = Pick<CheckOptions, 'gate' | 'baselineText' | 'waiversOf' | 'baseCommit'>;

/** The gate as it was before the change, and what the change makes of it. */
export async function rulesOfBase(
  base: BaseSide,
  head: LoadedConfig,
  options: RuleOptions & { readonly baseline: string },
  found: Pick<Findings, 'gate_changes' | 'policy'>,
): Promise<BaseRules> {
  found.gate_changes.push(...base.workflowFiles.map((file) => `${file}, which runs this gate, was edited`));
  if (base.loaded instanceof PawlError) {
    found.gate_changes.push(`the base has no sound pawl.yaml: this change was judged by its own rules`);
    found.policy = policyOf(options, head, 'head');
    return {};
  }
  const { config } = base.loaded;
  found.policy = policyOf(options, base.loaded, 'base');
  const inFile = baselineChanges(base.baselineText, await readBaselineText(options.baseline), {
    label: relative(head.root, options.baseline),
    trusted: options.trusted !== false,
    key: keyFrom({}),
  });
  found.gate_changes.push(...(await gateChanges(base.loaded, head)), ...inFile.changes);
  return {
    gate: gateRules(base.loaded),
    baselineText: base.baselineText ?? null,
    ...(inFile.waiversOf === undefined ? {} : { waiversOf: inFile.waiversOf }),
    baseCommit: {
      commit: base.commit,
      has: (name, wanted) => {
        const kernel = config.kernels[name];
        const problem = kernel && config.problems[kernel.problem];
        return problem !== undefined && kernelCases(kernel!, problem).has(wanted);
      },
    },
  };
}

export function policyOf(options: RuleOptions, { config }: LoadedConfig, source: 'base' | 'head'): CiPolicy {
  const { regressionPct, improvementPct } = options.policy ?? {};
  const isGiven = regressionPct !== undefined || improvementPct !== undefined;
  return {
    source: isGiven ? 'inputs' : source,
    regression_pct: regressionPct ?? config.thresholds.regression_pct,
    improvement_pct: improvementPct ?? config.thresholds.improvement_pct,
    undecided: options.undecided ?? 'pass',
    profile: options.profile ?? 'auto',
  };
}
