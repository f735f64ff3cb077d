import { Command } from 'commander';

import { defined } from '../model/defined.ts';
import type { ShiftEvent } from '../model/queue/shift-event.ts';
import { EXIT } from './exit-codes.ts';
import { judgingOptions, withJudging, type JudgingFlags } from './judging-options.ts';
import { budget, duration, list, wholeNumber } from './options.ts';
import { QUEUE_OPTION, type QueueFlags } from './queue-options.ts';
import { readToken } from './read-token.ts';
import { runAction, type Door } from './run-action.ts';

interface WorkFlags extends QueueFlags, JudgingFlags {
  readonly problem: string[];
  readonly server?: string;
  readonly tokenFile?: string;
  readonly name?: string;
  readonly lease?: number;
  readonly ahead?: number;
  readonly idle?: number;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** The worker: leases submissions, judges them, answers. */
export function workCommand(): Command {
  const command = new Command('work')
    .description('judge waiting candidates until stopped')
    .requiredOption(
      '--problem <name-or-file>',
      'a problem of pawl.yaml, or a file that `pawl adopt` understands; repeatable',
      list,
    )
    .option(...QUEUE_OPTION)
    .option(
      '--server <url>',
      'address of a `pawl serve --judge`, instead of a database; needs a token with role work',
    )
    .option('--token-file <file>', 'the token for --server; or PAWL_QUEUE_TOKEN')
    .option('--name <name>', 'its name, unique among workers (default: host and process)')
    .option(
      '--lease <time>',
      'a worker that is silent for this long loses its candidate to another (default 60)',
      budget,
    )
    .option('--ahead <n>', 'candidates to build while others are measured', wholeNumber)
    .option('--idle <time>', 'end after this long without work (default: never)', duration);
  return withJudging(command, 'events, one JSON object per line')
    .addHelpText(
      'after',
      `
SIGTERM and Ctrl-C end it cleanly: its candidate goes back to the queue, and the attempt is not counted. After a
kill -9 or a power cut, another worker takes over when the lease expires; an answer under an expired lease does not
count. Several workers may share a device: they take turns.

Examples:
  pawl queue work --problem attention --idle 10m
  PAWL_QUEUE=postgres://db/pawl pawl queue work --problem attention --gpu 1
  pawl queue work --problem attention --server https://pawl.example.org --token-file work.token`,
    )
    .action((flags: WorkFlags) =>
      runAction(flags, async (door) => {
        const { work } = await import('../workflows/queue.ts');
        const { queue, name, lease, ahead, idle } = flags;
        const told = (event: object): void => door.print(JSON.stringify(event));
        const through = await serverQueue(flags);
        const answered = await work({
          ...withoutWait(judgingOptions(flags, door)),
          problems: flags.problem,
          onEvent: (event) => (flags.json === true ? told(event) : show(event, door)),
          onReady: (worker, problems) =>
            flags.json === true
              ? told({ event: 'ready', worker, problems })
              : door.print(`${worker} judges ${problems.join(', ')}; Ctrl-C stops it.`),
          ...defined({ queue, worker: name, lease_s: lease, ahead, idle_s: idle, through }),
        });
        if (flags.json === true) told({ event: 'ended', answered });
        return EXIT.good;
      }),
    );
}

/** A worker waits for its device, unless it is said how long. */
function withoutWait<Options extends { readonly wait_s: number }>({ wait_s, ...rest }: Options) {
  return wait_s === 0 ? rest : { ...rest, wait_s };
}

async function serverQueue({ server, tokenFile: file }: WorkFlags) {
  if (server === undefined) return undefined;
  const asked = { ...defined({ file }), variable: 'PAWL_QUEUE_TOKEN', env: process.env };
  const token = await readToken('queue token', asked);
  const { httpQueue } = await import('../workflows/queue/http-queue.ts');
  return httpQueue(server, token);
}

function show(event: ShiftEvent, door: Door): void {
  switch (event.event) {
    case 'leased':
      return;
    case 'judged': {
      const { verdict, reward, cost } = event.judgement;
      const note = event.counts ? '' : ', which does not count: the lease had expired';
      door.print(`${event.id} ${verdict}, reward ${reward.toFixed(3)}, ${cost.wall_s.toFixed(1)} s${note}`);
      return;
    }
    case 'failed':
    case 'lost':
    case 'returned':
      door.print(`${event.id} ${event.event}: ${event.message}`);
      return;
    case 'trouble':
      process.stderr.write(`pawl: ${event.message}\n`);
  }
}
