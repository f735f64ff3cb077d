/** `pawl.samples/1`: what `bench` writes, `import` produces and `compare` reads. */
import { z } from 'zod';

import { verificationSchema } from '../correctness/verification.ts';
import { deviceInfoSchema, deviceStateSchema } from '../device/device.ts';
import { loadSchema } from '../device/load.ts';
import { preparationSchema } from '../problem/preparation.ts';
import { modeSchema } from './protocol.ts';
import { protectionsSchema } from '../device/sandbox.ts';
import { skippedKernelSchema } from './skipped-kernel.ts';
import { variantSchema } from '../problem/variant.ts';

export const SAMPLES_SCHEMA = 'pawl.samples/1';

/** Beyond these, a femtosecond and thirty years, a call is not timed, and statistics would not stay finite. */
export const LEAST_SAMPLE_MS = 1e-12;
export const MOST_SAMPLE_MS = 1e12;

/** The samples of one process. Only `samples_ms` is needed in a file from elsewhere. */
export const seriesSchema = z.object({
  process: z.int().positive().optional(),
  samples_ms: z.array(z.number().positive().min(LEAST_SAMPLE_MS).max(MOST_SAMPLE_MS)).min(1),
  /** In-band SM clock of each sample, as long as `samples_ms`. */
  clock_mhz: z.array(z.number().positive()).optional(),
  /** Samples taken while the device throttled: kept apart, not in `samples_ms`. */
  throttled_ms: z.array(z.number().positive()).optional(),
  throttle_reasons: z.array(z.string()).optional(),
  batch: z.int().positive().optional(),
  timing: z.enum(['blocked', 'plain', 'host']).optional(),
  warmup_samples: z.int().nonnegative().optional(),
  /** What the series cost: time the runner spent on it, warm-up apart, and the part of it inside timed intervals. */
  warmup_cost_ms: z.number().nonnegative().optional(),
  sampling_cost_ms: z.number().nonnegative().optional(),
  timed_ms: z.number().nonnegative().optional(),
  /** Why sampling ended: the stopping rule's word, or `budget` or `interrupted`. */
  stopped_by: z.string().optional(),
  started_at: z.iso.datetime().optional(),
  state_before: deviceStateSchema.optional(),
  state_after: deviceStateSchema.optional(),
  memory_peak_bytes: z.number().nonnegative().optional(),
  /** What the kernel prepared outside of the samples. */
  prepare: preparationSchema.optional(),
  /** The outputs of a timed repetition, drawn at random, were compared with the oracle and are right. */
  verified: z.boolean().optional(),
  notes: z.array(z.string()).optional(),
  /** What confined the process; empty where nothing did. */
  protections: protectionsSchema.optional(),
});
/** The time samples of one process, in milliseconds and in the order in which they were taken. */
export type Series = z.infer<typeof seriesSchema>;

/**
 * What another tool says of a process whose samples it did not keep. No samples are made up from it: nothing can be
 * judged by it, only shown.
 */
const seriesSummarySchema = z.object({
  process: z.int().positive().optional(),
  median_ms: z.number().positive().optional(),
  mean_ms: z.number().positive().optional(),
  /** The one figure given, where the file does not say whether it is a mean or a median. */
  unstated_ms: z.number().positive().optional(),
  stddev_ms: z.number().nonnegative().optional(),
  min_ms: z.number().positive().optional(),
  max_ms: z.number().positive().optional(),
  samples: z.int().positive().optional(),
});
export type SeriesSummary = z.infer<typeof seriesSummarySchema>;

/** A series that was lost, and why: a failure is data, not a gap. */
export const lostSeriesSchema = z.object({
  process: z.int().positive(),
  /** How it was lost: a detector's name, or how the kernel failed to run (`crashed`, `hung`, `out-of-memory` …). */
  reason: z.string(),
  /**
   * During what. Absent: `timing`, except in documents of earlier versions, whose messages begin with
   * `in the correctness check: ` where it was the check.
   */
  during: z.enum(['check', 'timing']).optional(),
  /** What happened, without saying during what. */
  message: z.string(),
  output: z.string().optional(),
});
export type LostSeries = z.infer<typeof lostSeriesSchema>;

/** What was built, from what, with what. */
export const binarySchema = z.object({
  sha256: z.string(),
  /** Of what is loaded of it: the same where only line information, comments or folders differ. */
  code_sha256: z.string().optional(),
  toolchain: z.string().optional(),
  compiler: z.string().optional(),
  flags: z.array(z.string()).optional(),
  arch: z.string().optional(),
});

/** The least time the hardware needs for a call: its bytes over the peak bandwidth or its operations over the peak rate. */
export const floorSchema = z.object({
  floor_ms: z.number().positive(),
  /** Which of the two is longer. */
  limit: z.enum(['memory', 'operations']),
  /** The amounts and peaks it comes from, for people. */
  basis: z.string(),
  /** What the device does at the very most, as far as it says: the ceilings of a roofline. */
  peaks: z
    .object({
      bytes_per_s: z.number().positive().optional(),
      operations_per_s: z.number().positive().optional(),
    })
    .optional(),
});
export type Floor = z.infer<typeof floorSchema>;

/**
 * The least time of a call at what its device was measured to do at best (`pawl device --calibrate`), as far as that
 * was known and believed when the run ended. A time is at `100 * ceiling_ms / time` percent of the ceiling.
 */
export const ceilingSchema = z.object({
  ceiling_ms: z.number().positive(),
  /** Which of the two takes longer. */
  limit: z.enum(['memory', 'operations']),
  /** The amounts and rates it comes from, for people. */
  basis: z.string(),
  /** The measured rates; only those that the case is held against. */
  bytes_per_s: z.number().positive().optional(),
  operations_per_s: z.number().positive().optional(),
});
export type MeasuredCeiling = z.infer<typeof ceilingSchema>;

export const measurementSchema = z.object({
  kernel: z.string().optional(),
  /** The problem that the kernel solves, by its name in pawl.yaml. */
  problem: z.string().optional(),
  case: z.string(),
  variant: variantSchema.optional(),
  /** The variant was asked for, and is not the default that the commit has: it is not part of the default's trend. */
  variant_requested: z.boolean().optional(),
  commit: z.string().optional(),
  /** When the commit was made, where git is not there to say: points of a trend are dated by it. */
  committed_at: z.iso.datetime({ offset: true }).optional(),
  /** The work tree had changes that the commit does not hold. */
  dirty: z.boolean().optional(),
  mode: modeSchema.optional(),
  /** Where it was measured, if that is not the host of the file's environment. */
  host: z.string().optional(),
  /** What the case is: the values of its dimensions and scalars. */
  dims: z.record(z.string(), z.number()).optional(),
  /** Of inputs that lie in files, by tensor: the SHA-256 of each recording. Other contents are another case. */
  recorded: z.record(z.string(), z.string()).optional(),
  /** Inputs that the kernel prepares from: what it makes of them is not in its times. */
  prepared_of: z.array(z.string()).optional(),
  operations: z.number().nonnegative().optional(),
  bytes: z.number().nonnegative().optional(),
  binary: binarySchema.optional(),
  versions: z.record(z.string(), z.string()).optional(),
  check: verificationSchema.optional(),
  device: deviceInfoSchema.optional(),
  floor: floorSchema.optional(),
  ceiling: ceilingSchema.optional(),
  series: z.array(seriesSchema),
  /** Processes of which only a summary is known (`pawl import`). */
  summaries: z.array(seriesSummarySchema).optional(),
  lost: z.array(lostSeriesSchema).optional(),
  warnings: z.array(z.string()).optional(),
});
/** One kernel in one case: its time series by process, what was built, and whether the results were right. */
export type Measurement = z.infer<typeof measurementSchema>;

/** Clock policy of a run: what was asked, its outcome. */
const clocksSchema = z.object({
  policy: z.enum(['as-is', 'lock']),
  locked_mhz: z.number().positive().optional(),
  refused: z.string().optional(),
});
export type Clocks = z.infer<typeof clocksSchema>;

/** Where and when a run took place. */
export const environmentSchema = z.object({
  host: z.string().optional(),
  os: z.string().optional(),
  cpu: z.string().optional(),
  node: z.string().optional(),
  pawl: z.string().optional(),
  nvcc: z.string().optional(),
  cxx: z.string().optional(),
  python: z.string().optional(),
  started_at: z.iso.datetime().optional(),
  finished_at: z.iso.datetime().optional(),
  clocks: clocksSchema.optional(),
  seed: z.string().optional(),
  /** What else the machine did while this run had the device. */
  load: loadSchema.optional(),
});
export type Environment = z.infer<typeof environmentSchema>;

export const samplesSchema = z.object({
  schema: z.literal(SAMPLES_SCHEMA),
  device: deviceInfoSchema.optional(),
  environment: environmentSchema.optional(),
  /** The run ended before its plan was done, and why. */
  incomplete: z.string().optional(),
  measurements: z.array(measurementSchema),
  /** Kernels that were asked for and have no measurement here, and why. */
  skipped: z.array(skippedKernelSchema).optional(),
});
/** All measurements of a run, and where and when they were taken (`pawl.samples/1`). */
export type Samples = z.infer<typeof samplesSchema>;
