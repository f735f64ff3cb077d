/** `pawl.calibration/1`: what a device does at best, as measured on it; and `pawl.device/1`, which shows it. */
import { z } from 'zod';

import { deviceInfoSchema, deviceStateSchema } from './device.ts';

export const CALIBRATION_SCHEMA = 'pawl.calibration/1';
export const DEVICE_SCHEMA = 'pawl.device/1';

const rateSchema = z.object({
  per_second: z.number().positive(),
  /** Of the fastest process. */
  median_ms: z.number().positive(),
  samples: z.int().positive(),
});

/** What is measured of a device. */
const ceilingSchema = z.enum(['copy', 'matrix', 'multiply_add']);
export type Ceiling = z.infer<typeof ceilingSchema>;

/** A kernel that was faster than a ceiling: either that is not one, or the kernel needs less than its formulas say. */
const exceededSchema = z.object({
  ceiling: ceilingSchema,
  per_second: z.number().positive(),
  kernel: z.string(),
  case: z.string(),
  /** Its results were compared with the oracle while it was timed. */
  verified: z.boolean(),
  at: z.iso.datetime(),
});
export type Exceeded = z.infer<typeof exceededSchema>;

export const calibrationSchema = z.object({
  schema: z.literal(CALIBRATION_SCHEMA),
  device: deviceInfoSchema,
  /** CPU only: the ceilings are those of so many threads, each on a CPU of its own. */
  threads: z.int().positive().optional(),
  pawl: z.string(),
  measured_at: z.iso.datetime(),
  /** Bytes read and written by a copy that no cache holds. */
  copy: rateSchema,
  /** Operations of dense f16 products with f32 sums on the tensor cores. */
  matrix: rateSchema.optional(),
  /** Operations of f32 multiply-adds in the ordinary units: the widest vectors, or CUDA cores. */
  multiply_add: rateSchema.optional(),
  /** Why these may be lower than what the device does at best: what disturbed the measurement. */
  disturbed: z.array(z.string()).min(1).optional(),
  /** They were kept anyway (`--accept-load`). Disturbed ones that were not accepted are never used in a judgement. */
  load_accepted: z.boolean().optional(),
  /** Kernels that were faster since. */
  exceeded: z.array(exceededSchema).optional(),
});
export type Calibration = z.infer<typeof calibrationSchema>;

export const deviceReportSchema = z.object({
  schema: z.literal(DEVICE_SCHEMA),
  devices: z.array(
    z.object({
      device: deviceInfoSchema,
      state: deviceStateSchema.optional(),
      calibrations: z.array(calibrationSchema),
    }),
  ),
  /** What load disturbed and was not asked to be kept. */
  not_kept: z.array(calibrationSchema).optional(),
  /** Why a device is not here, or a ceiling was not measured or not kept. */
  notes: z.array(z.string()),
});
export type DeviceReport = z.infer<typeof deviceReportSchema>;
