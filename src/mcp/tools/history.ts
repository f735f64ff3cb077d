import { z } from 'zod';

import { defined } from '../../model/defined.ts';
import { historyRunSchema } from '../../model/history/history.ts';
import { RUN_KINDS } from '../../model/history/run-kinds.ts';
import { parseMoment } from '../../model/text/moment.ts';
import { MOST_QUANTILES } from '../../model/history/retention.ts';
import { VERDICTS } from '../../model/judge/verdict.ts';
import { limitField, sinceField, wordField } from '../inputs.ts';
import { list, ownText, pick } from '../told.ts';
import { tool, workOf } from '../tool.ts';

const MOST_RUNS = 100;

const runTold = z.object(
  pick(
    historyRunSchema,
    'id',
    'kind',
    'started_at',
    'commit',
    'dirty',
    'branch',
    'host',
    'device',
    'verdict',
    'cases',
  ),
);

const MORE_RUNS = 'Give next as cursor.';

export const historyTool = tool({
  name: 'pawl_history',
  title: 'Earlier runs',
  description:
    'Finds stored runs. Returns runs, newest first, each with id, kind, time, commit (dirty: with uncommitted changes), host, device, verdict and number of cases, and next if there are more; pawl://run/{id} has everything about one.',
  effect: 'reads',
  input: z.strictObject({
    kind: z.enum(RUN_KINDS).optional(),
    kernel: wordField,
    case: wordField,
    commit: z
      .string()
      .regex(/^[0-9a-f]{4,40}$/)
      .optional(),
    device: wordField,
    branch: wordField,
    verdict: z.enum(VERDICTS).optional(),
    since: sinceField,
    limit: limitField(MOST_RUNS, 20),
    cursor: z.string().max(500).optional().describe('next of the previous page.'),
  }),
  output: z.object({ runs: list(runTold, MOST_RUNS, MORE_RUNS), next: ownText.optional() }),
  async run({ kind, verdict, since, limit, cursor, ...asked }, { project, now }) {
    const { countRuns, listRuns } = await import('../../workflows/history.ts');
    const asking = {
      config: project.config,
      filter: {
        ...defined({ ...asked, since: since === undefined ? undefined : parseMoment(since, now()) }),
        ...(kind === undefined ? {} : { kinds: [kind] }),
        ...(verdict === undefined ? {} : { verdicts: [verdict] }),
      },
    };
    const { items, next } = await listRuns({ ...asking, page: { limit, ...defined({ cursor }) } });
    const total = await countRuns(asking);
    const more = next === undefined ? undefined : MORE_RUNS;
    return {
      summary: `${items.length} of ${total} runs${next === undefined ? '' : '; the others with cursor: next'}.`,
      value: { runs: { items: [...items], total, more }, next },
    };
  },
});

const days = z.int().min(0).max(36_500).optional();

export const historyPruneTool = tool({
  name: 'pawl_history_prune',
  title: 'Remove old samples',
  description:
    'Removes old samples from the history by the retention rules; verdicts stay. This cannot be undone: use dry_run first, and ask the user. Returns counts of what was or would be removed.',
  effect: 'changes',
  isIdempotent: true,
  input: z.strictObject({
    dry_run: z.boolean().default(true),
    all_days: days.describe('Keep all samples for this many days,'),
    quantiles: z.int().min(0).max(MOST_QUANTILES).optional().describe('then this many of each series,'),
    quantiles_days: days.describe('until they are this many days old; then none.'),
  }),
  output: z.object({ dry_run: z.boolean(), counts: z.record(z.string(), z.number()) }),
  async run({ dry_run: dryRun, ...asked }, call) {
    const { pruneHistory } = await import('../../workflows/history.ts');
    const pruned = await pruneHistory({ ...workOf(call), dryRun, ...defined(asked) });
    const counts = Object.fromEntries(
      Object.entries(pruned).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
    );
    return {
      summary: dryRun
        ? 'Nothing was changed: counts say what would be removed.'
        : 'Old samples were removed.',
      value: { dry_run: dryRun, counts },
    };
  },
});
