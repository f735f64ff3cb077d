/** What rules make of profiles: the findings, and of the metrics only those that they rest on. */
import { z } from 'zod';

import { defined } from '../../model/defined.ts';
import type { Diagnosis, LaunchDiagnosis, ProfileComparison } from '../../model/diagnosis.ts';
import { LIMITERS, RULE_IDS } from '../../model/diagnosis-words.ts';
import { cutList, listSchema } from '../bounded.ts';
import { own, untrusted, untrustedSchema } from '../untrusted.ts';

const rule = z.enum(RULE_IDS);

export const diagnosisOutput = z.object({
  launches: listSchema(
    z.object({
      name: untrustedSchema,
      duration_us: z.number().optional(),
      limiter: z.enum(LIMITERS),
      device: untrustedSchema.optional(),
      speed_of_light: z.record(z.string(), z.number()).optional(),
      findings: listSchema(
        z.object({
          rule,
          priority: z.int().describe('0 is most urgent.'),
          diagnosis: untrustedSchema,
          fix: z.string(),
          expected_gain_pct: z.number(),
          evidence: z.record(z.string(), z.number()),
        }),
      ),
    }),
  ),
  comparisons: listSchema(
    z.object({
      kernel: untrustedSchema,
      summary: untrustedSchema,
      change_pct: z.number().optional().describe('Positive is faster.'),
      appeared: z.array(rule),
      vanished: z.array(rule),
      moved: listSchema(
        z.object({ metric: z.string(), unit: z.string(), before: z.number(), after: z.number() }),
      ),
    }),
  ),
  problems: listSchema(untrustedSchema),
});

export function diagnosisValue({
  kernels,
  comparisons = [],
  problems = [],
}: Pick<Diagnosis, 'kernels' | 'comparisons' | 'problems'>): z.input<typeof diagnosisOutput> {
  return {
    launches: cutList(kernels.map(launchValue), 8, 'Name a launch by its number.'),
    comparisons: cutList(comparisons.map(changeValue), 8, 'Name a launch by its number.'),
    problems: cutList(
      problems.map((problem) => untrusted(problem)),
      10,
      '`pawl diagnose` shows all.',
    ),
  };
}

export function diagnosisSummary({ kernels }: Pick<Diagnosis, 'kernels'>): string {
  const [first] = kernels;
  if (first === undefined) return 'No launch was diagnosed.';
  const found = first.findings.map((one) => one.rule).slice(0, 5);
  return `${kernels.length} launches; the first is limited by ${first.limiter}, findings in order: ${found.join(', ') || 'none'}.`;
}

function launchValue({ name, duration_us, limiter, device, speed_of_light, findings }: LaunchDiagnosis) {
  return {
    name: untrusted(name, 200),
    ...(duration_us === undefined ? {} : { duration_us }),
    limiter,
    ...(device === undefined ? {} : { device: untrusted(device) }),
    ...(speed_of_light === undefined
      ? {}
      : { speed_of_light: defined(speed_of_light) as Record<string, number> }),
    findings: cutList(
      findings.map((one) => ({
        rule: one.rule,
        priority: one.priority,
        diagnosis: untrusted(one.diagnosis),
        fix: own(one.fix),
        expected_gain_pct: one.expected_gain_pct,
        evidence: one.evidence,
      })),
      8,
      'The others expect less.',
    ),
  };
}

function changeValue({ kernel, summary, change_pct, appeared, vanished, moved }: ProfileComparison) {
  return {
    kernel: untrusted(kernel, 200),
    summary: untrusted(summary),
    ...(change_pct === undefined ? {} : { change_pct }),
    appeared,
    vanished,
    moved: cutList(
      moved.map((one) => ({ ...one, metric: own(one.metric), unit: own(one.unit) })),
      10,
      'The others moved less.',
    ),
  };
}
