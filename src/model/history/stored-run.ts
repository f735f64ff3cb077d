/** `pawl.run/1`: one run as history keeps it, uploads it and exports it, a line each. */
import { z } from 'zod';

import { RUN_KINDS } from './run-kinds.ts';
import { samplesSchema } from '../measure/samples.ts';

export const RUN_SCHEMA = 'pawl.run/1';

/** What was measured, by its part in the run; `head` is what the run is about. */
export const SIDES = ['head', 'base', 'control'] as const;
export type Side = (typeof SIDES)[number];

export const commitFactsSchema = z.object({
  sha: z.string().min(1),
  parent: z.string().optional(),
  time: z.iso.datetime({ offset: true }).optional(),
  subject: z.string().optional(),
  author: z.string().optional(),
});
export type CommitFacts = z.infer<typeof commitFactsSchema>;

export const storedRunSchema = z.object({
  schema: z.literal(RUN_SCHEMA),
  kind: z.enum(RUN_KINDS),
  started_at: z.iso.datetime({ offset: true }),
  finished_at: z.iso.datetime({ offset: true }).optional(),
  branch: z.string().optional(),
  pull_request: z.int().positive().optional(),
  sides: z.object({
    head: samplesSchema,
    base: samplesSchema.optional(),
    control: samplesSchema.optional(),
  }),
  /** The document that the run ended in: `pawl.check/1` of a check or a comparison; others name their schema too. */
  report: z.looseObject({ schema: z.string() }).optional(),
  device_s: z.number().nonnegative().optional(),
  money: z.object({ amount: z.number().nonnegative(), currency: z.string() }).optional(),
});
export type StoredRun = z.infer<typeof storedRunSchema>;
