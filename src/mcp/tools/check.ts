import { z } from 'zod';

import { tool, type Call } from '../tool.ts';
import { comparingInput, comparingOptions } from './comparing.ts';
import { comparisonOutput, comparisonSummary, comparisonValue } from './comparison-value.ts';

const input = comparingInput.extend({
  profile: z
    .enum(['auto', 'always', 'never'])
    .default('auto')
    .describe('Explain changes with a profile: those that count, all, or none.'),
});

export const checkTool = tool({
  name: 'pawl_check',
  title: 'Check against the baseline',
  description:
    'The gate: builds, proves right, measures the files as they are against the best known state of every case, and looks a second time before a change counts. Changes nothing in the baseline.',
  effect: 'works',
  input,
  output: comparisonOutput,
  run: (asked, call) => checked(asked, call, false),
});

export const ratchetUpdateTool = tool({
  name: 'pawl_ratchet_update',
  title: 'Move the baseline forward',
  description:
    'Like pawl_check, and writes first entries and confirmed improvements into the baseline file. Everything must be committed. The baseline is what every later change is judged by: ask the user first.',
  effect: 'changes',
  input,
  output: comparisonOutput,
  run: (asked, call) => checked(asked, call, true),
});

async function checked(asked: z.output<typeof input>, call: Call, update: boolean) {
  const { check } = await import('../../workflows/check.ts');
  const { report } = await check({ ...comparingOptions(asked, call), profile: asked.profile, update });
  const moved = update
    ? ` ${report.advanced.length} entries moved, ${report.new_cases.length} cases are new.`
    : '';
  return {
    summary: `${comparisonSummary(report)}${moved}`,
    value: comparisonValue(report, call.project),
  };
}
