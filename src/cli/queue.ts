import { Command, InvalidArgumentError } from 'commander';

import { defined } from '../model/defined.ts';
import { PawlError } from '../model/pawl-error.ts';
import { QUEUE_ROLES, tenantNameSchema, type QueueRole, type Tenant } from '../model/queue/queue.ts';
import { EXIT, EXIT_CODE_HELP, exitOf, FAILURE_EXIT } from './exit-codes.ts';
import { above0, listOf, moment, positiveInteger, wholeNumber } from './options.ts';
import { queueOptions, withQueueOptions, type QueueFlags } from './queue-options.ts';
import { workCommand } from './queue-work.ts';
import { runAction } from './run-action.ts';

export function queueCommand(): Command {
  return new Command('queue')
    .addCommand(statusCommand(), { isDefault: true })
    .addCommand(tenantCommand())
    .addCommand(tokenCommand())
    .addCommand(revokeCommand())
    .addCommand(submitCommand())
    .addCommand(showCommand())
    .addCommand(cancelCommand())
    .addCommand(leaderboardCommand())
    .addCommand(pruneCommand())
    .addCommand(workCommand())
    .addHelpText(
      'after',
      `
Candidates of many tenants wait in a database: .pawl/queue.db, or the PostgreSQL that PAWL_QUEUE names. Workers on any
number of devices judge each candidate once, even if workers die. \`pawl serve --judge\` accepts candidates over HTTP
(docs/fleets.md).

Examples:
  pawl queue tenant blue --weight 2 --per-day 5000
  pawl queue token blue --role submit,read
  pawl queue work --problem attention --idle 10m
  pawl queue submit --tenant blue --problem attention --candidate mine.cpp --author Ada
  pawl queue leaderboard attention
  pawl queue prune --older-than 90d --keep-verdicts --dry-run
  pawl queue revoke 0123456789ab
${EXIT_CODE_HELP}`,
    );
}

function statusCommand(): Command {
  return withQueueOptions(
    new Command('status').description('show tenants, problems, workers and waiting candidates'),
  ).action((flags: QueueFlags) =>
    runAction(flags, async (door) => {
      const { withQueue } = await import('../workflows/queue.ts');
      const status = await withQueue(queueOptions(flags), (queue) => queue.status());
      await door.tell(status, async () =>
        (await import('../report/terminal/queue-terminal.ts')).renderQueueStatus(status, door),
      );
      return EXIT.good;
    }),
  );
}

interface TenantFlags extends QueueFlags {
  readonly weight?: number;
  readonly mostQueued?: number;
  readonly perDay?: number;
  readonly rate?: number;
  readonly burst?: number;
  readonly suspend?: boolean;
  readonly resume?: boolean;
}

function tenantCommand(): Command {
  return withQueueOptions(
    new Command('tenant')
      .description('create a tenant, or change its share and its limits')
      .argument('<name>', 'its name', tenantName)
      .option(
        '--weight <n>',
        'its share of the workers, relative to other tenants (default 1)',
        above0('a number'),
      )
      .option('--most-queued <n>', 'candidates that may wait at a time (default 1000)', wholeNumber)
      .option('--per-day <n>', 'candidates that are queued per day, UTC (default 10000)', wholeNumber)
      .option('--rate <n>', 'candidates per second, over time (default 10)', above0('a number'))
      .option('--burst <n>', 'candidates at once (default 100)', positiveInteger)
      .option('--suspend', 'accept and judge nothing from it')
      .option('--resume', 'accept and judge again'),
  ).action((name: string, flags: TenantFlags) =>
    runAction(flags, async (door) => {
      const { suspend, resume } = flags;
      if (suspend === true && resume === true) {
        throw new PawlError(
          'usage',
          '--suspend and --resume cannot be combined.',
          'Give --suspend or --resume.',
        );
      }
      const settings = defined({
        weight: flags.weight,
        most_queued: flags.mostQueued,
        most_per_day: flags.perDay,
        rate_per_s: flags.rate,
        burst: flags.burst,
        suspended: suspend === true ? true : resume === true ? false : undefined,
      });
      const { withQueue } = await import('../workflows/queue.ts');
      const tenant = await withQueue(queueOptions(flags), (queue) => queue.putTenant(name, settings));
      await door.tell(tenant, () => tenantText(tenant));
      return EXIT.good;
    }),
  );
}

function tenantText({
  name,
  weight,
  most_queued,
  most_per_day,
  rate_per_s,
  burst,
  suspended,
}: Tenant): string {
  const limits = `${most_queued} may wait, ${most_per_day} per day, ${rate_per_s} per second, ${burst} at once`;
  return `${name}: weight ${weight}; ${limits}${suspended ? '; suspended' : ''}`;
}

interface TokenFlags extends QueueFlags {
  readonly role: readonly QueueRole[];
  readonly label?: string;
  readonly days?: number;
}

function tokenCommand(): Command {
  return withQueueOptions(
    new Command('token')
      .description('create a token for the HTTP interface and print it once; only its hash is stored')
      .argument('<tenant>', 'the tenant it belongs to', tenantName)
      .requiredOption(
        '--role <role>',
        `what it may do: ${QUEUE_ROLES.join(', ')}; repeatable`,
        listOf(QUEUE_ROLES),
      )
      .option('--label <text>', 'what it is for, in lists')
      .option('--days <n>', 'expire after this many days (default: never)', above0('a number')),
  ).action((tenant: string, flags: TokenFlags) =>
    runAction(flags, async (door) => {
      const { withQueue } = await import('../workflows/queue.ts');
      const asked = { tenant, roles: flags.role, ...defined({ label: flags.label, days: flags.days }) };
      const made = await withQueue(queueOptions(flags), (queue) => queue.createToken(asked));
      await door.tell({ ...made, ...asked }, () => made.token);
      return EXIT.good;
    }),
  );
}

function revokeCommand(): Command {
  return withQueueOptions(
    new Command('revoke')
      .description('revoke a token at once')
      .argument('<id>', 'its id, as `pawl queue status` shows it'),
  ).action((id: string, flags: QueueFlags) =>
    runAction(flags, async (door) => {
      const { withQueue } = await import('../workflows/queue.ts');
      const isRevoked = await withQueue(queueOptions(flags), (queue) => queue.revokeToken(id));
      if (!isRevoked)
        throw new PawlError(
          'usage',
          `There is no valid token ${id}.`,
          '`pawl queue status` lists the ids of valid tokens.',
        );
      door.print(flags.json === true ? JSON.stringify({ id, revoked: true }) : `${id} is revoked`);
      return EXIT.good;
    }),
  );
}

interface SubmitFlags extends QueueFlags {
  readonly tenant: string;
  readonly problem: string;
  readonly candidate: string[];
  readonly id?: string;
  readonly author?: string;
  readonly priority?: number;
  readonly fresh?: boolean;
  readonly deviceClass?: string;
}

function submitCommand(): Command {
  return withQueueOptions(
    new Command('submit')
      .description('put a candidate into the queue; needs access to its database')
      .requiredOption('--tenant <name>', 'the tenant to submit as', tenantName)
      .requiredOption('--problem <name>', 'a problem that the queue offers')
      .requiredOption('--candidate <file...>', 'the sources of one candidate')
      .option('--id <id>', 'your own id: a repeated id is the same submission')
      .option('--author <name>', 'who wrote it, for the leaderboard')
      .option('--priority <n>', 'priority within the tenant, -10 to 10, higher first (default 0)', integer)
      .option('--fresh', 'judge it even if the same sources have a judgement')
      .option('--device-class <name>', 'only on devices of this class'),
  ).action((flags: SubmitFlags) =>
    runAction(flags, async (door) => {
      const { submitCandidate } = await import('../workflows/queue.ts');
      const { tenant, problem, candidate, id, author, priority, fresh, deviceClass: device_class } = flags;
      const answer = await submitCandidate({
        ...queueOptions(flags),
        tenant,
        problem,
        candidate,
        ...defined({ id, author, priority, fresh, device_class }),
      });
      const { renderSubmission } = await import('../report/terminal/queue-terminal.ts');
      door.print(flags.json === true ? JSON.stringify(answer) : renderSubmission(answer, door));
      return EXIT.good;
    }),
  );
}

function showCommand(): Command {
  return withQueueOptions(
    new Command('show').description('show a submission and its judgement').argument('<id>', 'its id'),
  ).action((id: string, flags: QueueFlags) =>
    runAction(flags, async (door) => {
      const { withQueue } = await import('../workflows/queue.ts');
      const found = await withQueue(queueOptions(flags), (queue) => queue.find(id));
      if (found === undefined) throw new PawlError('usage', `There is no submission ${id}.`);
      const { answer } = found;
      const { renderSubmission } = await import('../report/terminal/queue-terminal.ts');
      await door.tell(answer, () => renderSubmission(answer, door));
      if (answer.schema === 'pawl.judgement/1') return exitOf(answer.verdict);
      return answer.schema === 'pawl.judgement-error/1' ? FAILURE_EXIT['bad-data'] : EXIT.good;
    }),
  );
}

function cancelCommand(): Command {
  return withQueueOptions(
    new Command('cancel')
      .description('remove a waiting submission from the queue')
      .argument('<id>', 'its id'),
  ).action((id: string, flags: QueueFlags) =>
    runAction(flags, async (door) => {
      const { withQueue } = await import('../workflows/queue.ts');
      const isCancelled = await withQueue(queueOptions(flags), (queue) => queue.cancel(id));
      if (!isCancelled) throw new PawlError('usage', `Submission ${id} is not waiting.`);
      door.print(flags.json === true ? JSON.stringify({ id, cancelled: true }) : `${id} is cancelled`);
      return EXIT.good;
    }),
  );
}

function leaderboardCommand(): Command {
  return withQueueOptions(
    new Command('leaderboard')
      .description('rank the candidates of a problem by speed-up')
      .argument('<problem>', 'a problem that the queue offers')
      .option('--device-class <name>', 'on devices of this class (default: those of the newest judge)'),
  ).action((problem: string, flags: QueueFlags & { readonly deviceClass?: string }) =>
    runAction(flags, async (door) => {
      const { withQueue } = await import('../workflows/queue.ts');
      const board = await withQueue(queueOptions(flags), (queue) =>
        queue.leaderboard(problem, flags.deviceClass),
      );
      if (board === undefined) throw new PawlError('usage', `The queue does not offer problem ${problem}.`);
      await door.tell(board, async () =>
        (await import('../report/terminal/queue-terminal.ts')).renderLeaderboard(board, door),
      );
      return EXIT.good;
    }),
  );
}

interface PruneFlags extends QueueFlags {
  readonly olderThan?: Date;
  readonly keep?: number;
  readonly keepVerdicts?: boolean;
  readonly dryRun?: boolean;
}

function pruneCommand(): Command {
  return withQueueOptions(
    new Command('prune')
      .description('remove old submissions with their sources, logs and judgements')
      .option('--older-than <time>', 'those finished before 12h, 90d, 8w ago, or a date (2026-07-01)', moment)
      .option('--keep <n>', 'all but the newest N of each tenant', wholeNumber)
      .option('--keep-verdicts', 'remove only sources, build logs and output; keep judgements and ranks')
      .option('--dry-run', 'only show what would be removed'),
  )
    .addHelpText(
      'after',
      `
Candidates that wait or are being judged are never removed. Workers and servers may run meanwhile. With both
--older-than and --keep, what either of them keeps is kept. A judgement that answers a newer submission stays. Sources
whose judgement was removed are judged again when they are submitted again.

Examples:
  pawl queue prune --older-than 90d --keep-verdicts --dry-run
  pawl queue prune --older-than 90d --keep-verdicts
  pawl queue prune --keep 10000 --older-than 365d`,
    )
    .action((flags: PruneFlags) =>
      runAction(flags, async (door) => {
        const { olderThan, keep, keepVerdicts, dryRun: isDry } = flags;
        if (olderThan === undefined && keep === undefined) {
          throw new PawlError(
            'usage',
            'pawl queue prune needs --older-than or --keep.',
            'Give --older-than 90d, or --keep 1000, or both.',
          );
        }
        // As an age: the database's clock says when that is.
        const older_than_s = olderThan && Math.max(0, (Date.now() - olderThan.getTime()) / 1000);
        const { withQueue } = await import('../workflows/queue.ts');
        const asked = defined({ older_than_s, keep, keepVerdicts, isDry });
        const pruned = await withQueue(queueOptions(flags), (queue) => queue.prune(asked));
        await door.tell(pruned, async () =>
          (await import('../report/terminal/queue-terminal.ts')).renderPruned(pruned),
        );
        return EXIT.good;
      }),
    );
}

function tenantName(text: string): string {
  const parsed = tenantNameSchema.safeParse(text);
  if (!parsed.success)
    throw new InvalidArgumentError(`Expected ${parsed.error.issues[0]?.message ?? 'a name'}.`);
  return parsed.data;
}

function integer(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isSafeInteger(value)) {
    throw new InvalidArgumentError('Expected a whole number.');
  }
  return value;
}
