/** What `compare`, `check` and the ratchet's update answer: verdicts with their intervals, and no samples. */
import { z } from 'zod';

import {
  checkAdvanceSchema,
  checkProfileSchema,
  checkReportSchema,
  checkWaiverSchema,
  type CheckReport,
} from '../../model/reports/check-report.ts';
import { caseComparisonSchema, caseKeySchema, type CaseComparison } from '../../model/judge/comparison.ts';
import { faultSchema } from '../../model/measure/fault.ts';
import { loadSchema } from '../../model/device/load.ts';
import { byUrgency } from '../../model/judge/verdict.ts';
import { filesFromRoot } from '../inside-project.ts';
import { list, paths, pick, said, text } from '../told.ts';
import type { Project } from '../tool.ts';
import { judgeSentence, judgeTold } from './judge-told.ts';

const MORE = 'Name kernels (only) or cases to see fewer.';

/** For descriptions of tools. */
export const COMPARISON_RETURNS =
  'Returns for each case a verdict, change_pct (positive is faster) with its interval ci_pct, the reason, and what is wrong if it is incorrect.';

export const keyTold = z.object(pick(caseKeySchema, 'kernel', 'case', 'variant', 'mode'));

export const faultTold = z.object(pick(faultSchema, 'detector', 'message', 'output')).optional();

const caseTold = keyTold.extend({
  ...pick(caseComparisonSchema, 'verdict', 'change_pct', 'ci_pct', 'baseline_ms', 'candidate_ms'),
  ...pick(caseComparisonSchema, 'processes', 'needs'),
  reason: said(),
  /** Where the two were measured, if on different hosts. */
  hosts: z.object({ baseline: text(), candidate: text() }).optional(),
  fault: faultTold,
});

export const comparisonTold = z.object({
  ...pick(checkReportSchema, 'verdict', 'commit', 'base_commit'),
  cases: list(caseTold, 60, MORE),
  /** Cases of the baseline that were not measured. */
  missing: z.int(),
  ...judgeTold,
  waived: list(
    z.object({ key: keyTold, waiver: z.object(pick(checkWaiverSchema, 'reason', 'expires')) }),
    20,
    'pawl_ratchet shows all waivers.',
  ),
  advanced: list(
    z.object({ key: keyTold, ...pick(checkAdvanceSchema, 'old_ms', 'new_ms', 'change_pct') }),
    60,
    MORE,
  ),
  new_cases: list(keyTold, 60, MORE),
  /** Entries that were measured while other work ran on the machine: not written unless a person accepted that. */
  loaded: list(z.object({ key: keyTold, load: loadSchema, kept: z.boolean() }), 60, MORE),
  profiles: list(z.object({ key: keyTold, ...pick(checkProfileSchema, 'summary') }), 10, MORE),
  notes: list(text(), 20, MORE),
  device_s: z.number().optional(),
  files: paths,
});

export function comparisonAnswer(report: CheckReport, { root }: Project) {
  const { verdict, comparison } = report;
  const counts = new Map<string, number>();
  for (const { verdict: one } of comparison.cases) counts.set(one, (counts.get(one) ?? 0) + 1);
  const parts = [...counts].map(([one, count]) => `${count} ${one}`);
  const counted = parts.length === 0 ? ' (no case was compared)' : ` (${parts.join(', ')})`;
  return {
    summary: `Verdict: ${verdict}${counted}.${judgeSentence(comparison)}`,
    value: {
      ...report,
      judge_changes: comparison.judge_changes,
      judge_accepted: comparison.judge_accepted,
      cases: comparison.cases.toSorted(byUrgency).map(caseValue),
      missing: comparison.missing.length,
      loaded: report.loaded ?? [],
      profiles: report.profiles ?? [],
      device_s: report.cost?.device_s,
      files: filesFromRoot(root, report.files),
    },
  };
}

/** What an estimate says is Pawl's own sentence; a fault is told in the words of what failed. */
function caseValue(one: CaseComparison) {
  return { ...one, reason: one.state === 'estimated' ? { own: one.reason } : one.reason };
}
