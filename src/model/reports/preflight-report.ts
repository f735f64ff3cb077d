/** `pawl.preflight/1`: whether work on a kernel can begin. `pawl preflight --json` prints it. */
import { z } from 'zod';

import { gateResultSchema } from '../learn/gate.ts';

export const PREFLIGHT_SCHEMA = 'pawl.preflight/1';

export const preflightReportSchema = z.object({
  schema: z.literal(PREFLIGHT_SCHEMA),
  kernel: z.string(),
  /** The case that the work is about. */
  case: z.string(),
  reference: z.object({ kernel: z.string().optional(), commit: z.string().optional() }),
  /** No gate stops. */
  ready: z.boolean(),
  /** In a sentence. */
  summary: z.string(),
  gates: z.array(gateResultSchema),
  /** What the method calls the phase of these gates. */
  phase_title: z.string().optional(),
  duration_s: z.number().nonnegative(),
});
/** What `preflight` returns: whether work on a kernel can begin, gate by gate (`pawl.preflight/1`). */
export type PreflightReport = z.infer<typeof preflightReportSchema>;
