import { z } from 'zod';

import { verificationSchema } from './verification.ts';
import { runCostSchema } from '../device/cost.ts';
import { FUZZ_SOURCES, fuzzCaseSchema } from '../problem/fuzz-case.ts';
import { variantSchema } from '../problem/variant.ts';

export const FUZZ_SCHEMA = 'pawl.fuzz/1';

const countsSchema = z.object({
  passed: z.int().nonnegative(),
  failed: z.int().nonnegative(),
  /** Not run: too large for this device, or beyond what the oracle or the runner can do. */
  skipped: z.int().nonnegative(),
});
export type FuzzCounts = z.infer<typeof countsSchema>;

/** What went wrong in a case. */
const findingSchema = z.object({
  /** A detector (src/model/correctness/detector.ts), or how the runner failed: `crashed`, `hung`, `kernel-failed`, … */
  detector: z.string(),
  tensor: z.string().optional(),
  message: z.string(),
});
export type FuzzFinding = z.infer<typeof findingSchema>;

export const fuzzFailureSchema = findingSchema.extend({
  source: z.enum(FUZZ_SOURCES),
  /** Name of the case, where it has one. */
  name: z.string().optional(),
  case: fuzzCaseSchema,
  /** The smallest case found that fails in the same way; the same as `case` where none is smaller. */
  shrunk: fuzzCaseSchema,
  shrink_attempts: z.int().nonnegative(),
  /** Whether the smallest case also fails in a process that ran nothing before it. */
  alone: z.boolean(),
  /** The command that runs it again. */
  replay: z.string(),
  /** The check of the smallest case, where the runner lived to tell. */
  check: verificationSchema.optional(),
  /** What the process had printed, where it ended. */
  output: z.string().optional(),
  /** Further cases that failed in this way. */
  repeats: z.int().nonnegative(),
  /** Whether it was written to the corpus by this run. */
  saved: z.boolean(),
});
export type FuzzFailure = z.infer<typeof fuzzFailureSchema>;

/** The element that came closest to its tolerance in all the cases that passed. */
const worstSchema = z.object({
  /** 1 is at the tolerance. */
  share: z.number().nonnegative(),
  tensor: z.string(),
  index: z.array(z.int().nonnegative()),
  case: fuzzCaseSchema,
});

export const fuzzedKernelSchema = z.object({
  kernel: z.string(),
  problem: z.string(),
  device: z.enum(['cpu', 'cuda']),
  variant: variantSchema,
  /** Tools that looked on: AddressSanitizer, memcheck, … */
  sanitizers: z.array(z.string()).optional(),
  /** `absent`: nothing could run here. */
  state: z.enum(['passed', 'failed', 'absent']),
  /** Why it is absent, and what to do about it. */
  absence: z.object({ reason: z.string(), message: z.string(), hint: z.string().optional() }).optional(),
  counts: z.partialRecord(z.enum(FUZZ_SOURCES), countsSchema),
  failures: z.array(fuzzFailureSchema),
  worst: worstSchema.optional(),
  /** Why it ended before all cases had been run. */
  stopped: z.string().optional(),
  notes: z.array(z.string()),
  duration_s: z.number().nonnegative(),
});
export type FuzzedKernel = z.infer<typeof fuzzedKernelSchema>;

export const fuzzReportSchema = z.object({
  schema: z.literal(FUZZ_SCHEMA),
  /** What ran: the kernels, or the oracles' own references in their place. */
  subject: z.enum(['kernels', 'references']),
  /** `undecided`: nothing failed, but what was asked for could not run, or the run was interrupted. */
  result: z.enum(['passed', 'failed', 'undecided']),
  seed: z.string(),
  started_at: z.string(),
  duration_s: z.number().nonnegative(),
  cost: runCostSchema.optional(),
  commit: z.string().optional(),
  dirty: z.boolean().optional(),
  /** From the folder of pawl.yaml. */
  corpus: z.string().optional(),
  /** Why the run ended early. */
  incomplete: z.string().optional(),
  kernels: z.array(fuzzedKernelSchema),
});
export type FuzzReport = z.infer<typeof fuzzReportSchema>;
