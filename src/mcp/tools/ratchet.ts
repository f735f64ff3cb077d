import { z } from 'zod';

import { cutList, listSchema } from '../bounded.ts';
import { patternField, reasonField } from '../inputs.ts';
import { fromRoot } from '../inside-project.ts';
import { tool } from '../tool.ts';
import { own, untrusted, untrustedSchema } from '../untrusted.ts';
import { keyValue } from './comparison-value.ts';
import { nameSchema } from '../untrusted.ts';

const waiverSchema = z.object({ pattern: untrustedSchema, reason: untrustedSchema, expires: z.string() });

export const ratchetTool = tool({
  name: 'pawl_ratchet',
  title: 'The baseline',
  description:
    'What is best known of every case, the waivers in force, and whether the baseline file is sound (nobody edited it behind Pawl).',
  effect: 'reads',
  input: z.strictObject({}),
  output: z.object({
    exists: z.boolean(),
    file: z.string(),
    entries: listSchema(
      z.object({
        kernel: nameSchema.optional(),
        case: nameSchema,
        variant: untrustedSchema.optional(),
        mode: z.string().optional(),
        key: untrustedSchema,
        median_ms: z.number(),
        processes: z.int(),
        commit: z.string().optional(),
        is_waived: z.boolean(),
      }),
    ),
    waivers: listSchema(waiverSchema),
    problems: listSchema(untrustedSchema),
  }),
  async run(_, { project, env, now }) {
    const { showBaseline } = await import('../../workflows/ratchet.ts');
    const view = await showBaseline({ config: project.config, env, now });
    return {
      summary: view.exists
        ? `${view.entries.length} entries, ${view.waivers.length} waivers, ${view.problems.length} problems.`
        : 'There is no baseline yet.',
      value: {
        exists: view.exists,
        file: fromRoot(project.root, view.path),
        entries: cutList(
          view.entries.map(({ key, text, median_ms, processes, provenance, waiver }) => ({
            ...keyValue(key),
            key: untrusted(text),
            median_ms,
            processes,
            ...(provenance.commit === undefined ? {} : { commit: own(provenance.commit) }),
            is_waived: waiver !== undefined,
          })),
          80,
          '`pawl ratchet show` lists all.',
        ),
        waivers: cutList(view.waivers.map(waiverValue), 30, '`pawl ratchet show` lists all.'),
        problems: cutList(
          view.problems.map((problem) => untrusted(problem)),
          20,
          '`pawl ratchet verify` lists all.',
        ),
      },
    };
  },
});

export const ratchetWaiveTool = tool({
  name: 'pawl_ratchet_waive',
  title: 'Allow a regression for a while',
  description:
    'Allows a regression of the cases that a pattern names until a day at most 180 days away. It stands in the baseline log with its reason. Only a person decides this: ask the user.',
  effect: 'changes',
  input: z.strictObject({
    pattern: patternField,
    reason: reasonField,
    expires: z
      .string()
      .regex(/^\d{4}-\d{2}-\d{2}$/)
      .describe('The last day it holds.'),
  }),
  output: z.object({ recorded: untrustedSchema, covered: listSchema(untrustedSchema) }),
  async run({ pattern, reason, expires }, { project, env, now }) {
    const { waiveRegression } = await import('../../workflows/ratchet.ts');
    const { record, covered } = await waiveRegression({
      config: project.config,
      pattern,
      reason,
      expires,
      env,
      now,
    });
    return {
      summary: `Waived until ${expires}; ${covered.length} entries are covered.`,
      value: {
        recorded: untrusted(record.summary),
        covered: cutList(
          covered.map((entry) => untrusted(entry)),
          50,
          'pawl_ratchet lists all.',
        ),
      },
    };
  },
});

function waiverValue({
  pattern,
  reason,
  expires,
}: {
  readonly pattern: string;
  readonly reason: string;
  readonly expires: string;
}) {
  return { pattern: untrusted(pattern), reason: untrusted(reason), expires: own(expires) };
}
