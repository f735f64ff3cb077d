import { join } from 'node:path';

import { commandLineProgram } from '../../build/package-root.ts';
import type { JobCommand, JobRequest } from '../../engine/engine.ts';
import type { StorePlace } from '../study/open-store.ts';

/** Where a worker finds the store's address: on its command line every user of the node could read it. */
const STORE_VARIABLE = 'PAWL_STORE';

export interface ClusterJobsOptions {
  readonly id: string;
  readonly config: string;
  readonly root: string;
  /** Of the study, on the file system that the nodes share. */
  readonly folder: string;
  readonly place: StorePlace;
  readonly passed: {
    readonly timeout_s: number | undefined;
    readonly clocks: string | undefined;
    readonly jobs: number | undefined;
  };
}

export interface ClusterJobs {
  readonly pilotName: string;
  readonly confirmName: string;
  /** Pattern of the files with what the tasks print. */
  readonly output: string;
  pilots(tasks: number): JobRequest;
  confirm(): JobRequest;
}

/** The jobs of a study, by the words of its engine. */
export function clusterJobs(options: ClusterJobsOptions): ClusterJobs {
  const { id, root, folder } = options;
  const output = join(folder, 'slurm-%A_%a.out');
  const pilotName = `pawl-pilot-${id}`;
  const confirmName = `pawl-confirm-${id}`;
  const environment = 'url' in options.place ? { [STORE_VARIABLE]: options.place.url } : {};
  const common = { output, folder: root, environment };
  return {
    pilotName,
    confirmName,
    output,
    pilots: (tasks) => ({
      ...common,
      name: pilotName,
      tasks,
      commands: [workerCommand(options, [])],
      exclusive: false,
    }),
    confirm: () => ({
      ...common,
      name: confirmName,
      tasks: 1,
      commands: [workerCommand(options, ['--confirm'])],
      exclusive: true,
    }),
  };
}

function workerCommand(
  { id, config, place, passed, folder }: ClusterJobsOptions,
  more: readonly string[],
): JobCommand {
  const { timeout_s, clocks, jobs } = passed;
  return {
    program: process.execPath,
    args: [
      commandLineProgram(),
      'tune',
      'worker',
      '--study',
      id,
      '--config',
      config,
      ...('folder' in place ? ['--via', place.folder] : []),
      ...(timeout_s === undefined ? [] : ['--timeout', String(timeout_s)]),
      ...(clocks === undefined ? [] : ['--clocks', clocks]),
      ...(jobs === undefined ? [] : ['--jobs', String(jobs)]),
      '--quiet',
      ...more,
    ],
    env: { PAWL_RUNS: join(folder, 'runs') },
  };
}
