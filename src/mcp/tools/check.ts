import { z } from 'zod';

import { tool, type Call } from '../tool.ts';
import { comparingInput, comparingOptions } from './comparing.ts';
import { COMPARISON_RETURNS, comparisonAnswer, comparisonTold } from './comparison-told.ts';

const input = comparingInput.extend({
  profile: z
    .enum(['auto', 'always', 'never'])
    .default('auto')
    .describe('Which changes a profile explains: those that count, all, none.'),
});

export const checkTool = tool({
  name: 'pawl_check',
  title: 'Check against the baseline',
  description: `The gate: builds, checks results, measures the working tree against the baseline in every case, and confirms a change with a second measurement before it counts. A change is done when this passes. The baseline is not changed. ${COMPARISON_RETURNS}`,
  effect: 'works',
  input,
  output: comparisonTold,
  run: (asked, call) => checked(asked, call, false),
});

export const ratchetUpdateTool = tool({
  name: 'pawl_ratchet_update',
  title: 'Update the baseline',
  description:
    'Like pawl_check, and writes first entries and confirmed improvements into the baseline file. Everything must be committed. Every later change is judged against the baseline: ask the user first. Returns what pawl_check returns, with updated (advanced) and new entries (new_cases).',
  effect: 'changes',
  input,
  output: comparisonTold,
  run: (asked, call) => checked(asked, call, true),
});

async function checked(asked: z.output<typeof input>, call: Call, update: boolean) {
  const { check } = await import('../../workflows/check.ts');
  const { report } = await check({ ...comparingOptions(asked, call), profile: asked.profile, update });
  const unwritten = (report.loaded ?? []).filter(({ kept }) => !kept).length;
  const left =
    unwritten === 0
      ? ''
      : ` ${unwritten} entries were not written, because other work ran on the machine: call again when it is idle. Only a person may accept them (pawl check --update --accept-load).`;
  const moved = update
    ? ` ${report.advanced.length} entries updated, ${report.new_cases.length} cases are new.${left}`
    : '';
  const { summary, value } = comparisonAnswer(report, call.project);
  return { summary: `${summary}${moved}`, value };
}
