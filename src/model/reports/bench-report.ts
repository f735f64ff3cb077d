/** `pawl.bench/1`: what a run measured, summed up. `pawl bench --json` prints it; every report renders it. */
import { z } from 'zod';

import { runCostSchema } from '../device/cost.ts';
import { deviceInfoSchema } from '../device/device.ts';
import { faultSchema } from '../measure/fault.ts';
import { rooflineSchema } from '../profile/profile-report.ts';
import { modeSchema } from '../measure/protocol.ts';
import { protectionsSchema } from '../device/sandbox.ts';
import { binarySchema, environmentSchema, floorSchema, lostSeriesSchema } from '../measure/samples.ts';
import { skippedKernelSchema } from '../measure/skipped-kernel.ts';
import { variantSchema } from '../problem/variant.ts';

export const BENCH_SCHEMA = 'pawl.bench/1';

/** What a measurement is warned about, and by what: the reader sees why, and what to do. */
export const warningKindSchema = z.enum([
  'incorrect',
  'blind-tolerance',
  'variation',
  'single-process',
  'throttling',
  'temperature',
  'foreign-processes',
  'load',
  'launch-latency',
  'lost-series',
  'clocks',
  'incomplete',
  'recorded',
]);

export const benchWarningSchema = z.object({
  kind: warningKindSchema,
  message: z.string(),
  remedy: z.string().optional(),
});
export type BenchWarning = z.infer<typeof benchWarningSchema>;

/** One process of a measurement. */
const processReportSchema = z.object({
  process: z.int().positive(),
  samples: z.int().positive(),
  median_ms: z.number().positive(),
  throttled: z.int().nonnegative(),
  stopped_by: z.string().optional(),
});

const statisticsSchema = z.object({
  /** Median of the process medians; with one process, of its samples. `ci_ms` is its interval. */
  median_ms: z.number().positive(),
  ci_ms: z.tuple([z.number(), z.number()]),
  /** Whether the interval knows how processes differ (`hierarchical`) or only how samples do (`plain`). */
  ci_method: z.enum(['hierarchical', 'plain']),
  /** Of all samples of all processes, from here to `max_ms`. */
  mean_ms: z.number().positive(),
  /** Absent for a single sample. */
  sd_ms: z.number().nonnegative().optional(),
  cv_pct: z.number().nonnegative().optional(),
  p50_ms: z.number().positive(),
  p95_ms: z.number().positive(),
  p99_ms: z.number().positive(),
  min_ms: z.number().positive(),
  max_ms: z.number().positive(),
  /** Spread of the process medians (Qn) over `median_ms`; absent for one process. */
  between_process_pct: z.number().nonnegative().optional(),
  /** Equal bins over what is not far out (Tukey's outer fences), and the counts outside them. */
  histogram: z.object({
    low_ms: z.number().positive(),
    high_ms: z.number().positive(),
    counts: z.array(z.int().nonnegative()),
    below: z.int().nonnegative(),
    above: z.int().nonnegative(),
  }),
  throughput_gflop_s: z.number().nonnegative().optional(),
  bandwidth_gb_s: z.number().nonnegative().optional(),
  memory_peak_bytes: z.number().nonnegative().optional(),
  /** What the kernel prepared outside of its times, and of which inputs. */
  prepare: z
    .object({ of: z.array(z.string()), ms: z.number().nonnegative(), bytes: z.number().nonnegative() })
    .optional(),
  clock_median_mhz: z.number().positive().optional(),
  /** The least time the hardware needs, and how many times as long the median is. */
  floor: floorSchema.optional(),
  times_floor: z.number().nonnegative().optional(),
  /** Under the ceilings that were measured on the device, where they were. */
  roofline: rooflineSchema.optional(),
});
export type BenchStatistics = z.infer<typeof statisticsSchema>;

const subjectSchema = z.object({
  kernel: z.string().optional(),
  case: z.string(),
  variant: variantSchema.optional(),
  mode: modeSchema.optional(),
  commit: z.string().optional(),
  dirty: z.boolean().optional(),
  dims: z.record(z.string(), z.number()).optional(),
  binary: binarySchema.optional(),
  versions: z.record(z.string(), z.string()).optional(),
  /** Where it ran, if that is not the report's `device`. */
  device: deviceInfoSchema.optional(),
  /** `failed`: a detector spoke against it, in its check or while it was timed; `fault` says which. */
  check: z.enum(['passed', 'failed', 'not-checked']),
  /** What is wrong with the kernel, where something is. */
  fault: faultSchema.optional(),
  /** Processes in which a timed repetition was compared with the oracle. */
  /** What confined all of its processes, where that is known. */
  protections: protectionsSchema.optional(),
  verified: z.int().nonnegative(),
  processes: z.int().nonnegative(),
  samples: z.int().nonnegative(),
  /** Samples taken while the device throttled: left out of everything here. */
  throttled: z.int().nonnegative(),
  by_process: z.array(processReportSchema),
  lost: z.array(lostSeriesSchema),
  notes: z.array(z.string()),
  warnings: z.array(benchWarningSchema),
});

/** A measurement that has samples, or one that has none: its result was wrong, or every series was lost. */
export const benchMeasurementSchema = z.discriminatedUnion('state', [
  subjectSchema.extend({ state: z.literal('measured'), ...statisticsSchema.shape }),
  subjectSchema.extend({ state: z.literal('unmeasured') }),
]);
export type BenchMeasurement = z.infer<typeof benchMeasurementSchema>;
export type MeasuredBench = Extract<BenchMeasurement, { state: 'measured' }>;

/** The limits beyond which a measurement is warned about. */
const benchThresholdsSchema = z.object({ cv_pct: z.number(), temperature_c: z.number() });
export type BenchThresholds = Readonly<z.infer<typeof benchThresholdsSchema>>;

export const benchReportSchema = z.object({
  schema: z.literal(BENCH_SCHEMA),
  /** Where all of it ran, or most. */
  device: deviceInfoSchema.optional(),
  environment: environmentSchema.optional(),
  interval: z.object({ confidence: z.number(), resamples: z.int(), seed: z.int() }),
  thresholds: benchThresholdsSchema,
  measurements: z.array(benchMeasurementSchema),
  /** Kernels that were asked for and not measured, and why; those that do not build come with the compiler's words. */
  skipped: z.array(skippedKernelSchema).optional(),
  /** About the whole run; those about one measurement stand with it. */
  warnings: z.array(benchWarningSchema),
  cost: runCostSchema.optional(),
});
export type BenchReport = z.infer<typeof benchReportSchema>;
