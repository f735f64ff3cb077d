import { z } from 'zod';

import type { BaselineView } from '../../workflows/ratchet.ts';
import { reasonField } from '../inputs.ts';
import { fromRoot } from '../inside-project.ts';
import { list, text, word } from '../told.ts';
import { tool, workOf } from '../tool.ts';
import { keyTold } from './comparison-told.ts';

const entryTold = z.object({
  key: keyTold,
  /** The whole key. */
  text: text(),
  median_ms: z.number(),
  processes: z.int(),
  commit: word.optional(),
  is_waived: z.boolean(),
});

const waiverTold = z.object({
  pattern: text(),
  reason: text(),
  expires: word,
  slower_pct: z.number().optional(),
});

export const ratchetTool = tool({
  name: 'pawl_ratchet',
  title: 'The baseline',
  description:
    'Reads the baseline. Returns the best confirmed time of every case (entries), the waivers in force, and problems if the file was edited outside Pawl.',
  effect: 'reads',
  input: z.strictObject({}),
  output: z.object({
    exists: z.boolean(),
    file: z.string(),
    entries: list(entryTold, 80, '`pawl ratchet show` lists all.'),
    waivers: list(waiverTold, 30, '`pawl ratchet show` lists all.'),
    problems: list(text(), 20, '`pawl ratchet verify` lists all.'),
  }),
  async run(_, call) {
    const { showBaseline } = await import('../../workflows/ratchet.ts');
    const view = await showBaseline(workOf(call));
    return {
      summary: view.exists
        ? `${view.entries.length} entries, ${view.waivers.length} waivers, ${view.problems.length} problems.`
        : 'There is no baseline yet.',
      value: {
        ...view,
        file: fromRoot(call.project.root, view.path),
        entries: view.entries.map(entryValue),
      },
    };
  },
});

function entryValue(entry: BaselineView['entries'][number]) {
  return { ...entry, commit: entry.provenance.commit, is_waived: entry.waiver !== undefined };
}

export const ratchetWaiveTool = tool({
  name: 'pawl_ratchet_waive',
  title: 'Allow a regression for a while',
  description:
    'Allows a regression of limited size in the cases that match a pattern, for at most 180 days. It is recorded in the baseline log with its reason. Only a person may decide this: ask the user. Returns what was recorded, and which entries it covers.',
  effect: 'changes',
  input: z.strictObject({
    pattern: z.string().min(1).max(200).describe('kernel/case; * matches anything.'),
    reason: reasonField,
    expires: z
      .string()
      .regex(/^\d{4}-\d{2}-\d{2}$/)
      .describe('Last day, such as 2026-11-15.'),
    slower_pct: z
      .number()
      .positive()
      .describe('The largest slowdown that it covers, in percent; a larger one fails.'),
  }),
  output: z.object({ recorded: text(), covered: list(text(), 50, 'pawl_ratchet lists all.') }),
  async run(asked, call) {
    const { waiveRegression } = await import('../../workflows/ratchet.ts');
    const { record, covered } = await waiveRegression({ ...workOf(call), ...asked });
    return {
      summary: `Waived until ${asked.expires}; ${covered.length} entries are covered.`,
      value: { recorded: record.summary, covered },
    };
  },
});
