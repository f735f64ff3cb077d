import { z } from 'zod';

import { formulaSchema } from './formula-schema.ts';

const amountSchema = z.union([z.number().nonnegative(), z.string()]).pipe(formulaSchema);

const fields = {
  atol: amountSchema,
  rtol: amountSchema,
  factor: z
    .number()
    .positive()
    .optional()
    .describe("Errors up to this multiple of the oracle's reference are right, larger ones are not."),
  share: z
    .number()
    .positive()
    .max(1)
    .optional()
    .describe(
      'The share of elements that must be within; default 1. Misplaced NaN and infinities never are.',
    ),
};

const RULE = 'An element is right when |got − want| <= atol + rtol·|want|; formulas over the dimensions.';

/** Of a problem: when its outputs are right. */
export const toleranceSchema = z
  .strictObject({ ...fields, atol: fields.atol.prefault(2e-3), rtol: fields.rtol.prefault(1e-3) })
  .prefault({})
  .describe(RULE);

/** Of one output: what it says differently from the problem's. */
export const outputToleranceSchema = z
  .strictObject({ ...fields, atol: fields.atol.optional(), rtol: fields.rtol.optional() })
  .describe(`Replaces parts of the problem's tolerance for this output. ${RULE}`);
