import { z } from 'zod';

import { defined } from '../../model/defined.ts';
import {
  historyKeySchema,
  judgedDeviceSchema,
  newestPointSchema,
  trendChangeSchema,
  trendCommitSchema,
  type Trend,
} from '../../model/history/history.ts';
import { parseMoment } from '../../model/text/moment.ts';
import { modeField, sinceField, wordField } from '../inputs.ts';
import { list, pick, text, word } from '../told.ts';
import { tool, workOf } from '../tool.ts';

const MORE = 'Name kernels or cases.';

const trendTold = z.object({
  ...pick(historyKeySchema, 'kernel', 'case', 'mode'),
  device: text(),
  /** How many. */
  commits: z.int(),
  first_ms: z.number().optional(),
  last_ms: z.number().optional(),
  last_commit: word.optional(),
  /** Where the newest point is off the level before it; without a verdict it is not confirmed. */
  newest: z.object(pick(newestPointSchema, 'commit', 'change_pct', 'ci_pct', 'verdict')).optional(),
  /** Where its points were measured. */
  hosts: list(word, 10, '`pawl trend` shows all.'),
  changes: list(
    z.object({
      ...pick(trendChangeSchema, 'kind', 'commit', 'previous_commit', 'time', 'change_pct', 'ci_pct'),
      /** Where it was measured before and after, if on different hosts. */
      hosts: z.object({ before: word, after: word }).optional(),
    }),
    10,
    '`pawl trend` shows all.',
  ),
});

export const trendTool = tool({
  name: 'pawl_trend',
  title: 'Times over commits',
  description:
    'Finds changes of the times over commits. Use it to explain a regression. Returns for each case its first and last level and its changes: a step names the commit that caused it, a creep has none; change_pct is positive if it got faster. Also the subjects of those commits, and the health of devices.',
  effect: 'reads',
  input: z.strictObject({
    names: z
      .array(z.string().min(1).max(170))
      .max(50)
      .optional()
      .describe('Kernels, cases or KERNEL/CASE (default: all).'),
    mode: modeField,
    device: wordField.describe('Part of the name of a device.'),
    since: sinceField,
  }),
  output: z.object({
    trends: list(trendTold, 40, MORE),
    commits: list(z.object({ ...pick(trendCommitSchema, 'sha'), subject: text(200).optional() }), 60, MORE),
    devices: list(z.object(pick(judgedDeviceSchema, 'device', 'health')), 20, 'Name a device.'),
  }),
  async run({ since, ...asked }, call) {
    const { trend } = await import('../../workflows/trend.ts');
    const from = since === undefined ? undefined : parseMoment(since, call.now());
    const report = await trend({ ...workOf(call), ...defined({ ...asked, since: from }) });
    const changes = report.trends.reduce((sum, one) => sum + one.changes.length, 0);
    return {
      summary: `${report.trends.length} series, ${changes} changes.`,
      value: {
        ...report,
        trends: report.trends
          .toSorted((one, other) => other.changes.length - one.changes.length)
          .map(trendValue),
      },
    };
  },
});

function trendValue({ key, points, changes, newest }: Trend) {
  const [first, last] = [points[0], points.at(-1)];
  return {
    ...key,
    device: key.device_class,
    commits: points.length,
    first_ms: first?.level_ms,
    last_ms: last?.level_ms,
    last_commit: last?.commit,
    hosts: [...new Set(points.flatMap(({ host }) => host ?? []))],
    changes,
    ...defined({ newest }),
  };
}
