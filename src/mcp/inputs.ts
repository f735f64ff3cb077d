/** What tools are asked with. Limits are far above any honest use and far below any harm. */
import { z } from 'zod';

import { MODES } from '../model/mode.ts';
import { parseMoment } from '../model/moment.ts';

const name = z.string().min(1).max(80);

export const kernelField = name.describe('A kernel of pawl.yaml.');
export const caseField = name.describe('A case of the kernel.');
export const onlyField = z.array(name).min(1).max(100).optional().describe('These kernels only.');
export const casesField = z.array(name).min(1).max(200).optional().describe('These cases only.');
export const modesField = z
  .array(z.enum(MODES))
  .min(1)
  .optional()
  .describe('cold (cache flushed), hot (back to back), graph.');
export const modeField = z.enum(MODES).optional().describe('How it is timed.');
export const variantField = z
  .record(z.string().min(1).max(80), z.union([z.number(), z.boolean(), z.string().max(80)]))
  .optional()
  .describe('Settings of tunables by name; the others keep their defaults.');
export const processesField = z.int().min(1).max(200).optional().describe('Fresh processes a case.');
export const samplesField = z.int().min(1).max(10_000).optional().describe('Samples a process aims at.');
export const seedField = z
  .string()
  .regex(/^\d{1,20}$/)
  .optional()
  .describe('Repeat an earlier run.');
export const gpuField = z.int().min(0).max(64).optional().describe('Which GPU, as nvidia-smi counts.');
export const timeoutField = z
  .number()
  .min(1)
  .max(3600)
  .optional()
  .describe('No answer from the kernel for so many seconds: it hangs.');

/** An assistant would rather wait a minute for a device than be told to come back. */
const DEFAULT_WAIT_S = 60;
export const waitField = z
  .number()
  .min(0)
  .max(3600)
  .default(DEFAULT_WAIT_S)
  .describe('Seconds to wait for a device that something else is measuring on.');

/** A leading dash would be an option of git. */
export const revisionField = z
  .string()
  .regex(/^[A-Za-z0-9_][\w./~^@{}+#-]{0,199}$/, 'a commit, branch or tag; it cannot begin with a dash')
  .describe('A commit, branch or tag; `worktree`: the files as they are.');

export const fileField = z
  .string()
  .min(1)
  .max(1000)
  .describe('A file of the project, relative to the folder of pawl.yaml.');

export const reasonField = z.string().trim().min(3).max(1000).describe('Why; it is recorded.');
export const patternField = z.string().min(1).max(200).describe('kernel/case; * stands for anything.');

export const sinceField = z
  .string()
  .regex(/^(\d{1,5}[hdw]|\d{4}-\d{2}-\d{2}(T[\d:.]+Z?)?)$/, 'a date such as 2026-11-15, or 12h, 30d, 8w')
  .refine((text) => parseMoment(text, new Date()) !== undefined, 'no such day')
  .optional()
  .describe('Only since then: 2026-11-15, or 12h, 30d, 8w.');
