/** `pawl.profile/1`: a capture of one case under a profiler, with what it says. `pawl profile --json` prints it. */
import { z } from 'zod';

import { moneySchema } from '../device/cost.ts';
import { deviceInfoSchema } from '../device/device.ts';
import { hotLineSchema, hotLinesSchema, mixBoundSchema } from './hot-lines.ts';
import { diagnosisFindingSchema, diagnosisSchema, profileComparisonSchema } from './diagnosis.ts';
import { modeSchema } from '../measure/protocol.ts';
import { variantSchema } from '../problem/variant.ts';

export const PROFILE_SCHEMA = 'pawl.profile/1';

/** Why there is no profile. None of these says anything about the kernel, but for `kernel-failed`. */
const SKIP_REASONS = [
  'no-profiler',
  'no-permission',
  'no-counters',
  'unsupported-device',
  'busy',
  'timed-out',
  'profiler-failed',
  'nothing-profiled',
  'kernel-failed',
  'interrupted',
] as const;

export const profileSkipSchema = z.object({
  reason: z.enum(SKIP_REASONS),
  message: z.string(),
  remedy: z.string(),
});
export type ProfileSkip = z.infer<typeof profileSkipSchema>;

/** One counter of a CPU, for one call of the kernel. */
export const counterSchema = z.object({
  /** As perf names it, without its modifiers. */
  name: z.string(),
  per_call: z.number().nonnegative(),
  /** How much of the time it was counted; less than 100 where counters had to take turns. */
  counted_pct: z.number().optional(),
});
export type Counter = z.infer<typeof counterSchema>;

/** Where a time lies under the ceilings that were measured on its device (`pawl device --calibrate`). */
export const rooflineSchema = z.object({
  time_ms: z.number().positive(),
  floor_ms: z.number().nonnegative(),
  bound: z.enum(['memory', 'compute']),
  of_ceiling_pct: z.number().nonnegative(),
  /** How many times the floor it takes. */
  distance: z.number().nonnegative(),
  /** The amounts and ceilings it comes from, for people. */
  basis: z.string(),
  /** What follows, where something does. */
  advice: z.string().optional(),
});
export type RooflineReport = z.infer<typeof rooflineSchema>;

const profilerSchema = z.object({
  name: z.enum(['ncu', 'perf']),
  version: z.string().optional(),
  command: z.array(z.string()),
  set: z.enum(['full', 'fast']).optional(),
  /** ncu: `none` leaves the clock as it is, so that durations are those of a benchmark. */
  clock_control: z.enum(['none']).optional(),
  /** ncu: `all` flushes the caches before every pass (cold), `none` does not (hot). */
  cache_control: z.enum(['all', 'none']).optional(),
});

const captureSchema = z.object({
  commit: z.string().optional(),
  dirty: z.boolean().optional(),
  device: deviceInfoSchema.optional(),
  profiler: profilerSchema,
  started_at: z.iso.datetime(),
  seconds: z.number().nonnegative(),
  /** Launches that were profiled, or calls that were counted. */
  launches: z.int().positive(),
  /** By what they are; names within the folder. */
  files: z.record(z.string(), z.string()),
  diagnosis: diagnosisSchema.optional(),
  counters: z.array(counterSchema).optional(),
  /** Launch by launch: where the time goes, by line and by instruction. */
  hot_lines: z.array(hotLinesSchema).optional(),
  roofline: rooflineSchema.optional(),
  notes: z.array(z.string()),
});
export type Capture = z.infer<typeof captureSchema>;

/** What the compiled code of a CPU kernel shows without running it. */
const codeReportSchema = z.object({
  read_at: z.iso.datetime(),
  /** Innermost loops that compute. */
  loops: z.int().nonnegative(),
  /** In order: the first promises most. */
  findings: z.array(diagnosisFindingSchema),
});
export type CodeReport = z.infer<typeof codeReportSchema>;

export const profileReportSchema = z.object({
  schema: z.literal(PROFILE_SCHEMA),
  kernel: z.string(),
  case: z.string(),
  variant: variantSchema,
  mode: modeSchema,
  /** The files as they are; absent where there is no profile of them. */
  head: captureSchema.optional(),
  base: captureSchema.optional(),
  /** What changed from base to head, launch by launch. */
  comparisons: z.array(profileComparisonSchema).optional(),
  /** The same in one sentence. */
  summary: z.string().optional(),
  /** The lines that cost most in the longest launch of the head; `head.hot_lines` has all, with instructions. */
  lines: z.array(hotLineSchema.omit({ instructions: true })).optional(),
  /** Of a compiled CUDA kernel that could not be profiled: what its code says by line, function by function. */
  static_lines: z.array(hotLinesSchema).optional(),
  /** The least time that the case's operations take with the instructions of that code, beside the time it takes. */
  mix_bound: mixBoundSchema.optional(),
  /** Of a compiled CPU kernel: where the time goes by line, also where nothing can be counted. */
  sampled: hotLinesSchema.optional(),
  /** The same of the base. */
  base_sampled: hotLinesSchema.optional(),
  /** Of a compiled CPU kernel, also where no profiler can count. */
  code: codeReportSchema.optional(),
  /** Why a profile is missing. */
  skipped: profileSkipSchema.optional(),
  /** All of it: building, waiting for the device and capturing. */
  seconds: z.number().nonnegative(),
  /** How long the device was held. */
  device_s: z.number().nonnegative(),
  /** Which device, as prices name it. */
  device: z.string().optional(),
  /** What that costs, where the device has a price. */
  money: moneySchema.optional(),
  folder: z.string().optional(),
  /** The one-pager, by format; names within the folder. */
  pages: z.record(z.string(), z.string()).optional(),
});
/** What `profileKernel` returns: counters and findings, or why there is no profile (`pawl.profile/1`). */
export type ProfileReport = z.infer<typeof profileReportSchema>;
