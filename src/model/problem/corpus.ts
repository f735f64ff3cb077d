import { z } from 'zod';

import { fuzzCaseSchema } from './fuzz-case.ts';

export const CORPUS_SCHEMA = 'pawl.corpus/1';

/** A line of pawl-corpus.jsonl: the smallest case found in which a kernel failed. It is replayed first ever after. */
export const corpusEntrySchema = z.object({
  schema: z.literal(CORPUS_SCHEMA),
  kernel: z.string(),
  problem: z.string(),
  ...fuzzCaseSchema.shape,
  /** What found it: a detector, or how the runner failed (`crashed`, `hung`, `kernel-failed`, …). */
  detector: z.string(),
  tensor: z.string().optional(),
  message: z.string(),
  date: z.string(),
  commit: z.string().optional(),
});
export type CorpusEntry = z.infer<typeof corpusEntrySchema>;
