import { readFileSync } from 'node:fs';

import { z } from 'zod';

/** Series of which the truth is known: those with the same `injected_slowdown_pct` are the same code. */
const knownTruthSchema = z.object({
  series: z.array(
    z.object({
      case: z.string(),
      process: z.int(),
      injected_slowdown_pct: z.number().nonnegative(),
      samples_ms: z.array(z.number().positive()).min(1),
    }),
  ),
});
export type KnownTruth = z.infer<typeof knownTruthSchema>;

export function readKnownTruth(path: string): KnownTruth {
  return knownTruthSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
}
