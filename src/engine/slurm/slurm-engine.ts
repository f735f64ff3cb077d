import { setTimeout as sleep } from 'node:timers/promises';

import { defined } from '../../model/defined.ts';
import { runCommand } from '../../os/run-command.ts';
import { PawlError } from '../../model/pawl-error.ts';
import type { JobEngine, JobRequest, JobTask } from '../engine.ts';
import { jobScript } from './job-script.ts';
import { parseSqueue, SQUEUE_FORMAT } from './parse-squeue.ts';

export interface SlurmOptions {
  readonly partition?: string;
  /** Devices of a task, as sbatch --gres takes them; '' for none. */
  readonly gres?: string;
  /** Time limit of a task, as sbatch --time takes it. */
  readonly time?: string;
  /** Further arguments of sbatch, a word each. */
  readonly args?: readonly string[];
}

/** Slurm's own limit for an answer of its controller is ten seconds; a busy one is asked again. */
const COMMAND_TIMEOUT_MS = 60_000;
const TRIES = 5;
const TRY_AGAIN_MS = 1000;
/** How long before its time limit a task is told, so that it can give back what it holds. */
const WARNING_S = 60;

/** Jobs through sbatch, squeue and scancel. What srun or a job's exit code says is not believed anywhere. */
export class SlurmEngine implements JobEngine {
  readonly #options: SlurmOptions;

  constructor(options: SlurmOptions) {
    this.#options = options;
  }

  async submit(job: JobRequest): Promise<string> {
    const { partition, gres = 'gpu:1', time, args = [] } = this.#options;
    const answer = await slurm(
      'sbatch',
      [
        '--parsable',
        `--job-name=${job.name}`,
        `--array=0-${job.tasks - 1}`,
        `--output=${job.output}`,
        `--chdir=${job.folder}`,
        '--open-mode=append',
        '--requeue',
        `--signal=B:TERM@${WARNING_S}`,
        '--ntasks=1',
        ...(gres === '' ? [] : [`--gres=${gres}`]),
        ...(partition === undefined ? [] : [`--partition=${partition}`]),
        ...(time === undefined ? [] : [`--time=${time}`]),
        ...(job.exclusive ? ['--exclusive'] : []),
        ...args,
      ],
      // Submitting twice would start twice as many: only what surely did not arrive is tried again, by the caller.
      { input: jobScript(job.commands), env: { ...process.env, ...job.environment }, tries: 1 },
    );
    const [, id] = /^(\d+)(?:;[^\n]*)?$/m.exec(answer.trim()) ?? [];
    if (id === undefined)
      throw new PawlError('unavailable', `Pawl cannot read the output of sbatch: ${answer}`);
    return id;
  }

  async tasks(name: string): Promise<readonly JobTask[]> {
    return parseSqueue(
      await slurm('squeue', ['-h', '-r', '-t', 'all', `--name=${name}`, '-o', SQUEUE_FORMAT], {}),
    );
  }

  async cancel(name: string): Promise<void> {
    await slurm('scancel', [`--name=${name}`], {});
  }
}

async function slurm(
  program: string,
  args: readonly string[],
  {
    input,
    env,
    tries = TRIES,
  }: { readonly input?: string; readonly env?: NodeJS.ProcessEnv; readonly tries?: number },
): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const run = await runCommand(program, args, {
      timeout_ms: COMMAND_TIMEOUT_MS,
      ...defined({ input, env }),
    });
    if (run.status === 'exited' && run.code === 0) return run.stdout;
    if (run.status === 'missing') {
      throw new PawlError(
        'unavailable',
        `${program} is not installed here.`,
        'Run this on a machine that can submit jobs.',
      );
    }
    if (attempt >= tries) {
      const said = `${run.stderr} ${run.stdout}`.trim().replaceAll(/\s+/g, ' ');
      throw new PawlError('unavailable', `${program} failed: ${said === '' ? run.status : said}`);
    }
    await sleep(attempt * TRY_AGAIN_MS);
  }
}
