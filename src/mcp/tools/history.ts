import { z } from 'zod';

import { VERDICTS } from '../../model/comparison.ts';
import { defined } from '../../model/defined.ts';
import { RUN_KINDS, type HistoryRun } from '../../model/history.ts';
import { parseMoment } from '../../model/moment.ts';
import { MOST_QUANTILES } from '../../model/retention.ts';
import { cutList, listSchema } from '../bounded.ts';
import { sinceField } from '../inputs.ts';
import { tool } from '../tool.ts';
import { own, untrusted, untrustedSchema } from '../untrusted.ts';

const word = z.string().min(1).max(200).optional();

const runSchema = z.object({
  id: z.string(),
  kind: z.enum(RUN_KINDS),
  started_at: z.string(),
  commit: z.string().optional(),
  branch: untrustedSchema.optional(),
  device: untrustedSchema.optional(),
  verdict: z.enum(VERDICTS).optional(),
  cases: z.int(),
});

export const historyTool = tool({
  name: 'pawl_history',
  title: 'Earlier runs',
  description:
    'Runs that were kept, newest first, by kind, kernel, case, commit, device, branch, verdict and time. The resource pawl://run/{id} has everything about one of them.',
  effect: 'reads',
  input: z.strictObject({
    kind: z.enum(RUN_KINDS).optional(),
    kernel: word,
    case: word,
    commit: z
      .string()
      .regex(/^[0-9a-f]{4,40}$/)
      .optional(),
    device: word,
    branch: word,
    verdict: z.enum(VERDICTS).optional(),
    since: sinceField,
    limit: z.int().min(1).max(100).default(20),
    cursor: z.string().max(500).optional().describe('next of the page before.'),
  }),
  output: z.object({ runs: listSchema(runSchema), next: z.string().optional() }),
  async run(
    { kind, kernel, case: name, commit, device, branch, verdict, since, limit, cursor },
    { project, now },
  ) {
    const { listRuns } = await import('../../workflows/history.ts');
    const listed = await listRuns({
      config: project.config,
      filter: {
        ...defined({ kernel, case: name, commit, device, branch }),
        ...defined({ since: since === undefined ? undefined : parseMoment(since, now()) }),
        ...(kind === undefined ? {} : { kinds: [kind] }),
        ...(verdict === undefined ? {} : { verdicts: [verdict] }),
      },
      page: { limit, ...defined({ cursor }) },
    });
    const { items, next } = listed;
    return {
      summary: `${items.length} runs${next === undefined ? '' : '; there are more (cursor: next)'}.`,
      value: {
        runs: cutList(items.map(runValue), limit, 'Give next as cursor.'),
        ...(next === undefined ? {} : { next: own(next) }),
      },
    };
  },
});

const days = z.int().min(0).max(36_500).optional();

export const historyPruneTool = tool({
  name: 'pawl_history_prune',
  title: 'Thin old samples',
  description:
    'Thins old samples in the history by the rules of retention; verdicts stay. What is thinned is gone: look with dry_run first, and ask the user.',
  effect: 'changes',
  isIdempotent: true,
  input: z.strictObject({
    dry_run: z.boolean().default(true),
    all_days: days.describe('Keep all samples for so many days.'),
    quantiles: z.int().min(0).max(MOST_QUANTILES).optional().describe('Then so many of each series.'),
    quantiles_days: days.describe('Until they are so many days old; then none.'),
  }),
  output: z.object({ dry_run: z.boolean(), counts: z.record(z.string(), z.number()) }),
  async run({ dry_run: dryRun, all_days, quantiles, quantiles_days }, { project, signal, now }) {
    const { pruneHistory } = await import('../../workflows/history.ts');
    const pruned = await pruneHistory({
      config: project.config,
      dryRun,
      ...defined({ all_days, quantiles, quantiles_days }),
      signal,
      now,
    });
    const counts = Object.fromEntries(
      Object.entries(pruned).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
    );
    return {
      summary: dryRun ? 'Nothing was changed: counts say what would go.' : 'Old samples were thinned.',
      value: { dry_run: dryRun, counts },
    };
  },
});

function runValue({ id, kind, started_at, commit, branch, device, verdict, cases }: HistoryRun) {
  return {
    id: own(id),
    kind,
    started_at: own(started_at),
    ...(commit === undefined ? {} : { commit: own(commit) }),
    ...(branch === undefined ? {} : { branch: untrusted(branch) }),
    ...(device === undefined ? {} : { device: untrusted(device) }),
    ...defined({ verdict }),
    cases,
  };
}
