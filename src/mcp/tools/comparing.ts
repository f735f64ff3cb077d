/** What `compare`, `check` and the ratchet's update are asked with: how both sides are measured and judged. */
import { z } from 'zod';

import { defined } from '../../model/defined.ts';
import {
  casesField,
  gpuField,
  modesField,
  onlyField,
  processesField,
  samplesField,
  seedField,
  timeoutField,
  waitField,
} from '../inputs.ts';
import type { Call } from '../tool.ts';

const percent = z.number().gt(0).lt(100).optional();

export const comparingInput = z.strictObject({
  only: onlyField,
  cases: casesField,
  modes: modesField,
  processes: processesField,
  samples: samplesField,
  budget_s: z.number().min(1).max(86_400).optional().describe('Stop measuring about here, decided or not.'),
  threshold_pct: percent.describe("Slower by this much is a regression (default: pawl.yaml's, or 3)."),
  improvement_pct: percent.describe('Faster by this much is an improvement (default 5).'),
  timeout_s: timeoutField,
  seed: seedField,
  gpu: gpuField,
  wait_s: waitField,
});

/** The same in the workflows' words. */
export function comparingOptions(
  input: z.output<typeof comparingInput>,
  { project, signal, onProgress, now }: Call,
) {
  const { only, cases, modes, processes, samples, budget_s, timeout_s, seed, gpu, wait_s } = input;
  return {
    config: project.config,
    ...defined({ only, cases, modes, processes, samples, budget_s, timeout_s, seed, gpu }),
    policy: defined({ regressionPct: input.threshold_pct, improvementPct: input.improvement_pct }),
    wait_s,
    signal,
    onProgress,
    now,
  };
}
