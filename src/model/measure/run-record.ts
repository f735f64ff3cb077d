/**
 * A run as it happens: one record a line in its journal (`.pawl/runs/<id>/journal.jsonl`). The samples file is
 * what the records add up to, so a run that was killed loses nothing that it had written down.
 */
import { z } from 'zod';

import { verificationSchema } from '../correctness/verification.ts';
import {
  environmentSchema,
  floorSchema,
  lostSeriesSchema,
  measurementSchema,
  seriesSchema,
} from './samples.ts';
import { deviceInfoSchema } from '../device/device.ts';
import { deviceWaitSchema } from '../device/lock-holder.ts';
import { skippedKernelSchema } from './skipped-kernel.ts';

export const runRecordSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('run'),
    owner: z.object({ pid: z.int(), start_ticks: z.string(), boot_id: z.string() }),
    environment: environmentSchema,
  }),
  /** A measurement that will be taken; `key` is its number within this run. */
  z.object({
    type: z.literal('measurement'),
    key: z.int(),
    measurement: measurementSchema.omit({ series: true, lost: true }),
  }),
  z.object({ type: z.literal('check'), key: z.int(), check: verificationSchema }),
  z.object({
    type: z.literal('series'),
    key: z.int(),
    series: seriesSchema,
    device: deviceInfoSchema.optional(),
    versions: z.record(z.string(), z.string()).optional(),
    floor: floorSchema.optional(),
  }),
  z.object({ type: z.literal('lost'), key: z.int(), lost: lostSeriesSchema }),
  z.object({ type: z.literal('environment'), environment: environmentSchema }),
  /** Kernels that were asked for and will not be measured. */
  z.object({ type: z.literal('skipped'), skipped: z.array(skippedKernelSchema) }),
  /** Nothing is measured yet: a device is in use by somebody else. */
  deviceWaitSchema.extend({ type: z.literal('waiting') }),
]);
export type RunRecord = z.infer<typeof runRecordSchema>;
