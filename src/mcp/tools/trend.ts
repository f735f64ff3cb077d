import { z } from 'zod';

import { intervalSchema } from '../../model/comparison.ts';
import { defined } from '../../model/defined.ts';
import { CHANGE_KINDS, DEVICE_HEALTH, type Trend } from '../../model/history.ts';
import { parseMoment } from '../../model/moment.ts';
import { cutList, listSchema } from '../bounded.ts';
import { modeField, sinceField } from '../inputs.ts';
import { tool } from '../tool.ts';
import { nameOf, nameSchema, own, untrusted, untrustedSchema } from '../untrusted.ts';

export const trendTool = tool({
  name: 'pawl_trend',
  title: 'How times went over commits',
  description:
    'The level of each case over commits, and which commits changed it: a step is blamed on a commit, a creep on none. Use it to explain a regression.',
  effect: 'reads',
  input: z.strictObject({
    names: z
      .array(z.string().min(1).max(170))
      .max(50)
      .optional()
      .describe('Kernels, cases or KERNEL/CASE (default: all).'),
    mode: modeField,
    device: z.string().min(1).max(200).optional().describe('Devices with this in their name only.'),
    since: sinceField,
  }),
  output: z.object({
    trends: listSchema(
      z.object({
        kernel: nameSchema,
        case: nameSchema,
        mode: z.string(),
        device: untrustedSchema,
        commits: z.int(),
        first_ms: z.number().optional(),
        last_ms: z.number().optional(),
        last_commit: z.string().optional(),
        changes: listSchema(
          z.object({
            kind: z.enum(CHANGE_KINDS),
            commit: z.string(),
            previous_commit: z.string(),
            time: z.string(),
            change_pct: z.number().describe('Positive is faster.'),
            ci_pct: intervalSchema,
          }),
        ),
      }),
    ),
    commits: listSchema(z.object({ sha: z.string(), subject: untrustedSchema.optional() })),
    devices: listSchema(z.object({ device: untrustedSchema, health: z.enum(DEVICE_HEALTH) })),
  }),
  async run({ names, mode, device, since }, { project, now }) {
    const { trend } = await import('../../workflows/trend.ts');
    const report = await trend({
      config: project.config,
      ...defined({ names, mode, device }),
      ...defined({ since: since === undefined ? undefined : parseMoment(since, now()) }),
    });
    const changes = report.trends.reduce((sum, one) => sum + one.changes.length, 0);
    return {
      summary: `${report.trends.length} series, ${changes} changes.`,
      value: {
        trends: cutList(
          report.trends.toSorted((one, other) => other.changes.length - one.changes.length).map(trendValue),
          40,
          'Name kernels or cases.',
        ),
        commits: cutList(
          report.commits.map(({ sha, subject }) => ({
            sha: own(sha),
            ...(subject === undefined ? {} : { subject: untrusted(subject, 200) }),
          })),
          60,
          'Name kernels or cases.',
        ),
        devices: cutList(
          report.devices.map(({ device: name, health }) => ({ device: untrusted(name), health })),
          20,
          'Name a device.',
        ),
      },
    };
  },
});

function trendValue({ key, points, changes }: Trend) {
  const [first, last] = [points[0], points.at(-1)];
  return {
    kernel: nameOf(key.kernel),
    case: nameOf(key.case),
    mode: own(key.mode),
    device: untrusted(key.device_class),
    commits: points.length,
    ...(first === undefined ? {} : { first_ms: first.level_ms }),
    ...(last === undefined ? {} : { last_ms: last.level_ms, last_commit: own(last.commit) }),
    changes: cutList(
      changes.map(({ kind, commit, previous_commit, time, change_pct, ci_pct }) => ({
        kind,
        commit: own(commit),
        previous_commit: own(previous_commit),
        time: own(time),
        change_pct,
        ci_pct,
      })),
      10,
      '`pawl trend` shows all.',
    ),
  };
}
