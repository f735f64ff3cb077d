/**
 * What tools are asked with: one definition for each field, and groups of those that go together. Names are those of
 * the workflows' options. Limits are far above any honest use and far below any harm.
 */
import { z } from 'zod';

import { MODES } from '../model/problem/mode.ts';
import { parseMoment } from '../model/text/moment.ts';

const nameField = z.string().min(1).max(80);

export const kernelField = nameField.describe('Kernel of pawl.yaml.');
const caseField = nameField.describe('Case of the kernel.');
export const casesField = z.array(nameField).min(1).max(200).optional().describe('Only these cases.');
export const modeField = z.enum(MODES).optional().describe('Timing mode.');
export const variantField = z
  .record(nameField, z.union([z.number(), z.boolean(), z.string().max(80)]))
  .optional()
  .describe('Tunables by name; others keep defaults.');
export const processesField = z.int().min(1).max(200).optional().describe('Fresh processes per case.');
const seedField = z
  .string()
  .regex(/^\d{1,20}$/)
  .optional()
  .describe('Repeats an earlier run.');
const gpuField = z.int().min(0).max(64).optional().describe('GPU index (nvidia-smi).');
const timeoutField = z
  .number()
  .min(1)
  .max(3600)
  .optional()
  .describe('Seconds until a silent kernel counts as hung.');

/** An assistant would rather wait a minute for a device than be told to come back. */
const DEFAULT_WAIT_S = 60;
export const waitField = z
  .number()
  .min(0)
  .max(3600)
  .default(DEFAULT_WAIT_S)
  .describe('Seconds to wait for a busy device.');

/** Which device, and for how long to wait for it. */
export const deviceFields = { gpu: gpuField, wait_s: waitField };

/** Which kernels. */
export const onlyFields = {
  only: z.array(nameField).min(1).max(100).optional().describe('Only these kernels.'),
};

/** What a run that can be repeated runs, and where. */
export const runFields = {
  ...onlyFields,
  cases: casesField,
  timeout_s: timeoutField,
  seed: seedField,
  ...deviceFields,
};

/** The same for one that measures. */
export const measuringFields = {
  ...runFields,
  modes: z.array(z.enum(MODES)).min(1).optional().describe('cold: cache flushed; graph: CUDA graph.'),
  processes: processesField,
  samples: z.int().min(1).max(10_000).optional().describe('Samples per process.'),
};

/** One case of one kernel. */
export const caseFields = { kernel: kernelField.optional(), case: caseField.optional() };

/** One case under a profiler. */
export const profilingFields = {
  kernel: kernelField,
  case: caseField.optional(),
  variant: variantField,
  mode: modeField,
  timeout_s: timeoutField,
  ...deviceFields,
};

/** A leading dash would be an option of git. */
export const revisionField = z
  .string()
  .regex(/^[A-Za-z0-9_][\w./~^@{}+#-]{0,199}$/, 'a commit, branch or tag; it cannot begin with a dash')
  .describe('Commit, branch or tag; `worktree`: the working tree.');

export const fileField = z.string().min(1).max(1000).describe('Path from the folder of pawl.yaml.');

export const budgetField = z
  .number()
  .min(1)
  .max(86_400)
  .optional()
  .describe('Stop after about this many seconds.');
export const reasonField = z.string().trim().min(3).max(1000).describe('The reason; it is recorded.');
export const wordField = z.string().trim().min(1).max(200).optional();
export const dryRunField = z.boolean().optional().describe('Only show what would be done.');

export function limitField(most: number, usual: number) {
  return z.int().min(1).max(most).default(usual);
}

export const sinceField = z
  .string()
  .regex(/^(\d{1,5}[hdw]|\d{4}-\d{2}-\d{2}(T[\d:.]+Z?)?)$/, 'a date such as 2026-11-15, or 12h, 30d, 8w')
  .refine((text) => parseMoment(text, new Date()) !== undefined, 'no such day')
  .optional()
  .describe('2026-11-15, or 12h, 30d, 8w ago.');
