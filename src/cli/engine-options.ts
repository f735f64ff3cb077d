/** What `tune` and `bench` have in common when a cluster does the work. */
import { Option, type Command } from 'commander';

import { defined } from '../model/defined.ts';
import { PawlError } from '../model/pawl-error.ts';
import { duration, positiveInteger } from './options.ts';

export interface SlurmFlags {
  readonly engine?: 'local' | 'slurm';
  readonly partition?: string;
  readonly gres?: string;
  readonly time?: string;
  readonly slurmArg?: string[];
}

export interface EngineFlags extends SlurmFlags {
  readonly store?: string;
  readonly pilots?: number;
  readonly via?: 'database' | 'files';
  readonly lease?: number;
}

const DEFAULT_PILOTS = 4;
/** Three heartbeats of ten seconds. */
const DEFAULT_LEASE_S = 30;

export function withEngineOptions(command: Command, what: 'study' | 'matrix'): Command {
  command
    .addOption(
      new Option('--engine <engine>', 'slurm: run on a cluster (docs/cluster.md)').choices([
        'local',
        'slurm',
      ]),
    )
    .option('--partition <name>', 'slurm: the partition of its jobs')
    .option('--gres <gres>', "slurm: resources per job (default gpu:1; '' for a kernel on the CPU)")
    .option('--time <limit>', 'slurm: time limit per job, as in sbatch')
    .option('--slurm-arg <argument>', 'slurm: an extra argument for sbatch; repeatable', collect);
  if (what === 'matrix') return command;
  return command
    .option('--store <url>', 'slurm: the PostgreSQL that holds the study (default: $PAWL_STORE)')
    .option(
      '--pilots <n>',
      `slurm: number of workers, one GPU each (default ${DEFAULT_PILOTS})`,
      positiveInteger,
    )
    .addOption(
      new Option(
        '--via <way>',
        'slurm: how workers reach the study; files: through the project folder',
      ).choices(['database', 'files']),
    )
    .option(
      '--lease <time>',
      `slurm: a worker that is silent for this long is lost (default ${DEFAULT_LEASE_S})`,
      duration,
    );
}

/** Undefined: this machine does it. */
export function slurmOptions({ engine, partition, gres, time, slurmArg }: SlurmFlags) {
  return engine === 'slurm' ? defined({ partition, gres, time, args: slurmArg }) : undefined;
}

export function clusterOptions(flags: EngineFlags) {
  const slurm = slurmOptions(flags);
  if (slurm === undefined) return undefined;
  const store = flags.store ?? process.env['PAWL_STORE'];
  if (store === undefined || store === '') {
    throw new PawlError(
      'usage',
      'A study on a cluster needs a PostgreSQL store.',
      'Give --store postgresql://…',
    );
  }
  const { pilots = DEFAULT_PILOTS, via = 'database', lease = DEFAULT_LEASE_S } = flags;
  if (lease === 0) throw new PawlError('usage', '--lease must be greater than 0.', 'Give --lease 30.');
  return { slurm, store, pilots, via, lease_s: lease };
}

/** A word of its own: an argument may hold commas. */
function collect(text: string, before: readonly string[] | undefined): string[] {
  return [...(before ?? []), text];
}
