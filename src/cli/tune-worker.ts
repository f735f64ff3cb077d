import { Command, Option } from 'commander';

import { defined } from '../model/defined.ts';
import { PawlError } from '../model/pawl-error.ts';
import { EXIT, EXIT_CODE_HELP, FAILURE_EXIT } from './exit-codes.ts';
import { configOption, positiveInteger, seconds, wholeNumber } from './options.ts';
import { runAction } from './run-action.ts';

interface WorkerFlags {
  readonly config?: string;
  readonly study: string;
  readonly store?: string;
  readonly via?: string;
  readonly confirm?: boolean;
  readonly jobs?: number;
  readonly timeout?: number;
  readonly clocks?: 'as-is' | 'lock';
  readonly gpu?: number;
  readonly wait?: number;
  readonly idle?: number;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

export function tuneWorkerCommand(): Command {
  return new Command('worker')
    .description('work on a study that several machines share, until there is nothing left to do')
    .requiredOption('--study <id>', 'the study')
    .addOption(configOption())
    .option('--store <url>', 'the PostgreSQL that holds the study (default: $PAWL_STORE)')
    .option('--via <folder>', 'reach the study through letters in this shared folder instead')
    .option('--confirm', 'measure the finalists against the default instead of searching')
    .option(
      '--jobs <n>',
      'builds at a time (default: processors less one, as far as memory goes)',
      positiveInteger,
    )
    .option('--timeout <seconds>', 'no answer from the kernel for this long: it hangs', seconds)
    .addOption(
      new Option('--clocks <policy>', 'lock: hold the GPU clock, and undo it after').choices([
        'as-is',
        'lock',
      ]),
    )
    .option(
      '--gpu <index>',
      'which GPU, as nvidia-smi counts (default: what the scheduler gave)',
      wholeNumber,
    )
    .option(
      '--wait <seconds>',
      'wait this long for a device that another Pawl is using (default 3600)',
      seconds,
    )
    .option('--idle <seconds>', 'end when nothing happened for this long (default 300)', seconds)
    .option('--json', 'print what it did as JSON')
    .option('-q, --quiet', 'no progress display')
    .addHelpText(
      'after',
      `
Each trial is held under a lease that the worker renews while it lives. One that is lost, stopped or cut off is
missed by nobody: its trial goes to another, and what it tells later is refused. SIGTERM ends it in good order.
A worker on another model of GPU, or with other sources, is refused (docs/cluster.md).

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
    throw new PawlError('usage', 'Where is the study?', 'Give --store URL, $PAWL_STORE or --via FOLDER.');
  }
  return { url };
}
