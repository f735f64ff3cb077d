/** What `compare`, `check` and the ratchet's update are asked with: how both sides are measured and judged. */
import { z } from 'zod';

import { defined } from '../../model/defined.ts';
import { budgetField, measuringFields } from '../inputs.ts';
import { workOf, type Call } from '../tool.ts';

const percent = z.number().gt(0).lt(100).optional();

export const comparingInput = z.strictObject({
  ...measuringFields,
  budget_s: budgetField,
  threshold_pct: percent.describe('Slower by this is a regression (default: from pawl.yaml, or 3).'),
  improvement_pct: percent.describe('Faster by this is an improvement (default 5).'),
});

/** The same in the workflows' words. */
export function comparingOptions(input: z.output<typeof comparingInput>, call: Call) {
  const { only, cases, modes, processes, samples, budget_s, timeout_s, seed, gpu, wait_s } = input;
  return {
    ...workOf(call),
    ...defined({ only, cases, modes, processes, samples, budget_s, timeout_s, seed, gpu, wait_s }),
    policy: defined({ regressionPct: input.threshold_pct, improvementPct: input.improvement_pct }),
  };
}
