import { Command } from 'commander';

import { defined } from '../model/defined.ts';
import { PawlError } from '../model/pawl-error.ts';
import { EXIT, EXIT_CODE_HELP, FAILURE_EXIT } from './exit-codes.ts';
import {
  clocksOption,
  gpuOption,
  timeoutOption,
  waitOption,
  withOutput,
  type OutputFlags,
} from './option-groups.ts';
import { configOption, duration, positiveInteger } from './options.ts';
import { runAction } from './run-action.ts';

interface WorkerFlags extends OutputFlags {
  readonly config?: string;
  readonly study: string;
  readonly store?: string;
  readonly via?: string;
  readonly confirm?: boolean;
  readonly jobs?: number;
  readonly timeout?: number;
  readonly clocks?: 'as-is' | 'lock';
  readonly gpu?: number;
  readonly wait: number;
  readonly idle?: number;
}

/** Jobs of a cluster share a node's devices and queue for them. */
const WAIT_S = 3600;

export function tuneWorkerCommand(): Command {
  const command = new Command('worker')
    .description('work on a study that several machines share, until it is finished')
    .requiredOption('--study <id>', 'the study')
    .addOption(configOption())
    .option('--store <url>', 'the PostgreSQL that holds the study (default: $PAWL_STORE)')
    .option('--via <folder>', 'reach the study through messages in this shared folder, instead of a database')
    .option('--confirm', 'measure the finalists against the default instead of searching')
    .option(
      '--jobs <n>',
      'parallel builds (default: processors minus one, as far as memory allows)',
      positiveInteger,
    )
    .addOption(timeoutOption())
    .addOption(clocksOption())
    .addOption(gpuOption('', ' (default: from the scheduler)'))
    .addOption(waitOption().default(WAIT_S))
    .option('--idle <time>', 'end after this long without work (default 300)', duration);
  return withOutput(command, 'what it did as JSON')
    .addHelpText(
      'after',
      `
A worker holds each trial under a lease, which it renews while it lives. If a worker is lost, stopped or cut off, its
trial goes to another worker, and what it reports later is refused. SIGTERM ends it cleanly. A worker on another GPU
model, or with other sources, is refused (docs/cluster.md).

Examples:
  pawl tune attention-cuda --case short_128 --engine slurm --store postgresql://db/pawl   starts workers itself
  ssh node7 'cd /shared/project && pawl tune worker --study ID --store postgresql://db/pawl'
${EXIT_CODE_HELP}`,
    )
    .action((flags: WorkerFlags) =>
      runAction(flags, async (door) => {
        const { runPilot } = await import('../workflows/tune/pilot.ts');
        const { config, study, confirm, jobs, clocks, gpu } = flags;
        const outcome = await runPilot({
          ...defined({ config, confirm, jobs, clocks, gpu }),
          ...defined({ timeout_s: flags.timeout, wait_s: flags.wait, idle_s: flags.idle }),
          study,
          place: placeOf(flags),
          signal: door.signal,
          onProgress: door.onProgress,
          now: () => new Date(),
        });
        const { worker, ended_by, told } = outcome;
        door.print(flags.json === true ? JSON.stringify(outcome) : `${worker}: ${told} trials, ${ended_by}`);
        return ended_by === 'interrupted' ? FAILURE_EXIT['try-again'] : EXIT.good;
      }),
    );
}

function placeOf({ via, store }: WorkerFlags): { readonly folder: string } | { readonly url: string } {
  if (via !== undefined) return { folder: via };
  const url = store ?? process.env['PAWL_STORE'];
  if (url === undefined || url === '') {
    throw new PawlError(
      'usage',
      'No store given for the study.',
      'Give --store URL, $PAWL_STORE or --via FOLDER.',
    );
  }
  return { url };
}
