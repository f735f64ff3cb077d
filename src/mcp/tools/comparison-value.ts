/** What `compare`, `check` and the ratchet's update answer: verdicts with their intervals, and no samples. */
import { z } from 'zod';

import type { CheckProfile, CheckReport } from '../../model/check-report.ts';
import { intervalSchema, verdictSchema, type CaseComparison, type CaseKey } from '../../model/comparison.ts';
import { modeSchema } from '../../model/protocol.ts';
import { variantText } from '../../model/variant.ts';
import { cutList, listSchema } from '../bounded.ts';
import { fromRoot } from '../inside-project.ts';
import type { Project } from '../tool.ts';
import { judgeOutput, judgeSentence, judgeValue } from './judge-value.ts';
import { nameOf, nameSchema, own, untrusted, untrustedSchema } from '../untrusted.ts';

const keySchema = z.object({
  kernel: nameSchema.optional(),
  case: nameSchema,
  variant: untrustedSchema.optional(),
  mode: modeSchema.optional(),
});

export const comparisonOutput = z.object({
  verdict: verdictSchema,
  cases: listSchema(
    keySchema.extend({
      verdict: verdictSchema,
      reason: untrustedSchema,
      change_pct: z.number().optional().describe('Positive is faster.'),
      ci_pct: intervalSchema.optional(),
      baseline_ms: z.number().optional(),
      candidate_ms: z.number().optional(),
      processes: z.tuple([z.int(), z.int()]),
      needs_processes: z.int().optional().describe('What would decide an undecided case.'),
      fault: z.object({ detector: z.string(), message: untrustedSchema }).optional(),
    }),
  ),
  missing: z.int().describe('Cases of the baseline that were not measured.'),
  ...judgeOutput,
  waived: listSchema(keySchema.extend({ reason: untrustedSchema, expires: z.string() })),
  advanced: listSchema(keySchema.extend({ old_ms: z.number(), new_ms: z.number(), change_pct: z.number() })),
  new_cases: listSchema(keySchema),
  profiles: listSchema(keySchema.extend({ summary: untrustedSchema.optional() })),
  notes: listSchema(untrustedSchema),
  commit: z.string().optional(),
  base_commit: z.string().optional(),
  device_s: z.number().optional(),
  files: z.record(z.string(), z.string()),
});

const MORE = 'Name kernels (only) or cases to see fewer.';

export function comparisonValue(report: CheckReport, { root }: Project): z.input<typeof comparisonOutput> {
  const { comparison, waived, advanced, new_cases, profiles = [], notes } = report;
  return {
    verdict: report.verdict,
    cases: cutList(worstFirst(comparison.cases).map(caseValue), 60, MORE),
    missing: comparison.missing.length,
    ...judgeValue(comparison),
    waived: cutList(waived.map(waivedValue), 20, 'pawl_ratchet shows all waivers.'),
    advanced: cutList(advanced.map(advancedValue), 60, MORE),
    new_cases: cutList(new_cases.map(keyValue), 60, MORE),
    profiles: cutList(profiles.map(profileValue), 10, MORE),
    notes: cutList(
      notes.map((note) => untrusted(note)),
      20,
      MORE,
    ),
    ...(report.commit === undefined ? {} : { commit: own(report.commit) }),
    ...(report.base_commit === undefined ? {} : { base_commit: own(report.base_commit) }),
    ...(report.cost?.device_s === undefined ? {} : { device_s: report.cost.device_s }),
    files: Object.fromEntries(
      Object.entries(report.files).map(([what, path]) => [what, fromRoot(root, path)]),
    ),
  };
}

/** Numbers and verdicts only: what an assistant may repeat as it stands. */
export function comparisonSummary({ verdict, comparison }: CheckReport): string {
  const counts = new Map<string, number>();
  for (const { verdict: one } of comparison.cases) counts.set(one, (counts.get(one) ?? 0) + 1);
  const parts = [...counts].map(([one, count]) => `${count} ${one}`);
  const counted = parts.length === 0 ? ' (no case was compared)' : ` (${parts.join(', ')})`;
  return `Verdict: ${verdict}${counted}.${judgeSentence(comparison)}`;
}

export function keyValue({ kernel, case: name, variant, mode }: CaseKey): z.input<typeof keySchema> {
  return {
    ...(kernel === undefined ? {} : { kernel: nameOf(kernel) }),
    case: nameOf(name),
    ...(variant === undefined || Object.keys(variant).length === 0
      ? {}
      : { variant: untrusted(variantText(variant)) }),
    ...(mode === undefined ? {} : { mode }),
  };
}

function waivedValue({ key, waiver }: CheckReport['waived'][number]) {
  return { ...keyValue(key), reason: untrusted(waiver.reason), expires: own(waiver.expires) };
}

function advancedValue({ key, ...moved }: CheckReport['advanced'][number]) {
  return { ...keyValue(key), ...moved };
}

function profileValue({ key, summary }: CheckProfile) {
  return { ...keyValue(key), ...(summary === undefined ? {} : { summary: untrusted(summary) }) };
}

function caseValue(one: CaseComparison) {
  const { verdict, reason, processes, fault, baseline_ms, candidate_ms } = one;
  return {
    ...keyValue(one),
    verdict,
    reason: untrusted(reason),
    processes,
    ...(baseline_ms === undefined ? {} : { baseline_ms }),
    ...(candidate_ms === undefined ? {} : { candidate_ms }),
    ...(one.state === 'estimated'
      ? {
          change_pct: one.change_pct,
          ci_pct: one.ci_pct,
          ...(one.needs === undefined ? {} : { needs_processes: one.needs.processes }),
        }
      : {}),
    ...(fault === undefined
      ? {}
      : { fault: { detector: own(fault.detector), message: untrusted(fault.message) } }),
  };
}

const ORDER = ['incorrect', 'regressed', 'undecided', 'improved', 'new', 'maintained'];

function worstFirst(cases: readonly CaseComparison[]): CaseComparison[] {
  return cases.toSorted((one, other) => ORDER.indexOf(one.verdict) - ORDER.indexOf(other.verdict));
}
