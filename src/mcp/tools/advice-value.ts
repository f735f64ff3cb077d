import { z } from 'zod';

import type { Advice, Prediction, RankedFix } from '../../model/advice.ts';
import { intervalSchema } from '../../model/comparison.ts';
import { RULE_IDS } from '../../model/diagnosis-words.ts';
import { cutList, listSchema } from '../bounded.ts';
import { own, untrusted, untrustedSchema } from '../untrusted.ts';

export const predictionOutput = z.object({
  minutes: z.number(),
  minutes_ci: intervalSchema,
  speedup: z.number(),
  speedup_ci: intervalSchema,
  sessions: z.int().describe('Earlier sessions that it rests on.'),
  basis: untrustedSchema,
});

export const adviceOutput = z.object({
  basis: z.enum(['rules', 'recorded']).describe('rules: nothing was recorded of such fixes yet.'),
  fixes: listSchema(
    z.object({
      rank: z.int(),
      rule: z.enum(RULE_IDS),
      diagnosis: untrustedSchema,
      fix: z.string(),
      expected_gain_pct: z.number().describe("Percent of the kernel's time."),
      ci_pct: intervalSchema.describe('80 % interval of what one such fix brings.'),
      rule_gain_pct: z.number(),
      outcomes: z.int(),
      explanation: untrustedSchema,
    }),
  ),
  prediction: predictionOutput.optional(),
});

export function predictionValue({ basis, ...rest }: Prediction): z.input<typeof predictionOutput> {
  return { ...rest, basis: untrusted(basis) };
}

export function adviceValue({ basis, fixes, prediction }: Advice): z.input<typeof adviceOutput> {
  return {
    basis,
    fixes: cutList(fixes.map(fixValue), 8, 'The others expect less.'),
    ...(prediction === undefined ? {} : { prediction: predictionValue(prediction) }),
  };
}

function fixValue({ rank, rule, diagnosis, fix, explanation, ...numbers }: RankedFix) {
  const { expected_gain_pct, ci_pct, rule_gain_pct, outcomes } = numbers;
  return {
    rank,
    rule,
    diagnosis: untrusted(diagnosis),
    fix: own(fix),
    expected_gain_pct,
    ci_pct,
    rule_gain_pct,
    outcomes,
    explanation: untrusted(explanation),
  };
}
