/** `pawl.yaml`: one schema gives the types, the validation and the JSON Schema for editors. */
import { z } from 'zod';

import { modeSchema } from '../model/measure/protocol.ts';
import { retentionSchema } from '../model/history/retention.ts';
import { alertsSchema } from './alerts-schema.ts';
import { costConfigSchema } from './cost-schema.ts';
import { variableSchema } from './env-schema.ts';
import { nameSchema } from './formula-schema.ts';
import { kernelSchema } from './kernel-schema.ts';
import { methodConfigSchema } from './method-schema.ts';
import { problemSchema } from './problem-schema.ts';

/** What ends a series: the names of the rules in src/measure/stopping-rules.ts. */
export const stoppingRuleSchema = z.enum(['fixed', 'precision', 'stdrel', 'entropy']);

const measureSchema = z.strictObject({
  mode: modeSchema.default('cold').describe('cold: caches emptied before each sample; hot; graph: replay.'),
  processes: z.int().min(1).max(1000).default(5).describe('Fresh processes, one series each.'),
  samples: z.int().min(1).max(1_000_000).default(100).describe('Samples a series.'),
  warmup: z.int().min(0).max(1_000_000).default(20).describe('Samples taken and discarded before a series.'),
  stopping: stoppingRuleSchema.default('precision'),
  timeout_s: z
    .number()
    .positive()
    .max(86_400)
    .default(60)
    .describe('A kernel that does not answer for this long hangs, and its series is lost.'),
  import_timeout_s: z
    .number()
    .positive()
    .max(86_400)
    .default(300)
    .describe(
      'How long a Python module may take to be imported, and its function in its first call of a case, with everything that they build meanwhile.',
    ),
});

const caseThresholdSchema = z.strictObject({
  regression_pct: z.number().positive().max(100).describe('Slower by this much fails.'),
});

const thresholdsSchema = z.strictObject({
  regression_pct: z.number().positive().max(100).default(3).describe('Slower by this much fails.'),
  improvement_pct: z
    .number()
    .positive()
    .max(100)
    .default(5)
    .describe('Faster by this much is worth keeping.'),
  claim_pct: z.number().positive().max(100).default(10).describe('Faster by this much may be claimed.'),
  cv_pct: z.number().positive().default(12).describe('Warn above this coefficient of variation.'),
  temperature_c: z.number().positive().default(80).describe('Warn above this device temperature.'),
  cases: z
    .record(z.string(), caseThresholdSchema)
    .default({})
    .describe(
      'Thresholds of single cases, by KERNEL/CASE. `pawl thresholds` proposes them from measured noise.',
    ),
});

const notEmpty = (record: object) => Object.keys(record).length > 0;

export const configSchema = z.strictObject({
  version: z.literal(1).describe('Version of this format.'),
  problems: z
    .record(nameSchema, problemSchema)
    .refine(notEmpty, { error: 'needs at least one problem' })
    .describe('What kernels compute: tensors, oracle, cases.'),
  kernels: z
    .record(nameSchema, kernelSchema)
    .refine(notEmpty, { error: 'needs at least one kernel' })
    .describe('What is built, checked and measured.'),
  environment: z
    .array(variableSchema)
    .max(100)
    .default([])
    .describe('Environment variables that builds and kernels see besides those of toolchains.'),
  measure: measureSchema.prefault({}),
  thresholds: thresholdsSchema.prefault({}),
  cost: costConfigSchema.optional(),
  method: methodConfigSchema.optional(),
  store: z
    .string()
    .min(1)
    .optional()
    .describe('Where the history is stored: a file, or postgres://… for a team (default: .pawl/history.db).'),
  history: z.boolean().default(true).describe('Whether runs are stored in the history.'),
  retention: retentionSchema
    .prefault({})
    .describe('What `pawl history prune` keeps; verdicts are always kept.'),
  alerts: alertsSchema.optional().describe('Who is notified of confirmed changes (`pawl alerts`).'),
});
export type Config = z.output<typeof configSchema>;
