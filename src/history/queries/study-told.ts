/** What a list of studies says of one, read from its own document; one under way, or of another version, has less. */
import { z } from 'zod';

import { confirmedBest } from '../../model/judge/confirmed-best.ts';
import { verdictSchema } from '../../model/judge/comparison.ts';
import { defined } from '../../model/defined.ts';
import type { StudySummary } from '../../model/history/history-api.ts';
import { STUDY_RESULTS } from '../../model/tune/study-report.ts';

const toldSchema = z.object({
  case: z.string().optional().catch(undefined),
  device: z.object({ name: z.string() }).optional().catch(undefined),
  result: z.enum(STUDY_RESULTS).optional().catch(undefined),
  best: z.object({ trial: z.int() }).optional().catch(undefined),
  confirmations: z
    .array(
      z.object({
        trial: z.int().positive(),
        verdict: verdictSchema,
        speedup: z.number().positive().optional(),
        speedup_ci: z.tuple([z.number().positive(), z.number().positive()]).optional(),
      }),
    )
    .optional()
    .catch(undefined),
});

export function studyTold(document: unknown): Pick<StudySummary, 'case' | 'device' | 'result' | 'confirmed'> {
  const told = toldSchema.safeParse(document).data;
  if (told === undefined) return {};
  const winner = confirmedBest(told);
  return defined({
    case: told.case,
    device: told.device?.name,
    result: told.result,
    confirmed:
      winner === undefined
        ? undefined
        : { trial: winner.trial, ...defined({ speedup: winner.speedup, speedup_ci: winner.speedup_ci }) },
  });
}
