import { z } from 'zod';

/** `on` (with the gate's own limit), `off`, or a limit. */
const gateSchema = (limit: z.ZodNumber, meaning: string) =>
  z
    .union([z.boolean(), z.literal(['on', 'off']), limit])
    .transform((setting) => (setting === 'on' ? true : setting === 'off' ? false : setting))
    .optional()
    .describe(`on, off, or ${meaning}`);

const percent = z.number().min(0).max(100);

/** Which gates a search has, by the name of the rejection or warning. What is not named keeps its default. */
export const gatesSchema = z.strictObject({
  smem_overflow: gateSchema(z.number().positive(), 'most bytes of shared memory per block.'),
  too_many_threads: gateSchema(z.number().positive(), 'most threads per block.'),
  too_many_registers: gateSchema(z.number().positive(), 'most registers per thread.'),
  oom_risk: gateSchema(percent, 'most of the free device memory that may be used, in percent.'),
  register_spill: gateSchema(z.number().nonnegative(), 'most bytes that a thread may spill.'),
  low_occupancy: gateSchema(percent, 'least occupancy, in percent.'),
  low_occupancy_no_prefetch: gateSchema(
    percent,
    'least occupancy of a variant without prefetch, in percent.',
  ),
  bank_conflicts: gateSchema(
    percent,
    'most wavefronts that conflicts may cause, in percent, before the profile of a winner warns.',
  ),
  bad_coalescing: gateSchema(
    percent,
    'most loaded and stored sectors that may be wasted, in percent, before the profile of a winner warns.',
  ),
});
export type Gates = z.output<typeof gatesSchema>;
