import { mkdtemp, rm } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import { z } from 'zod';

import { findSandbox } from '../../build/find-sandbox.ts';
import { packageRoot } from '../../build/package-root.ts';
import { privatePaths } from '../../build/private-paths.ts';
import { candidateEnvironment } from '../../device/candidate-environment.ts';
import { findPython } from '../../device/python.ts';
import { PawlError } from '../../model/pawl-error.ts';
import { runCommand } from '../../os/run-command.ts';
import {
  calledSchema,
  lookedSchema,
  refusedSchema,
  type CalledAll,
  type CallRequest,
  type InspectedFile,
  type Looked,
} from './inspection.ts';
import { taskStudySchema, type TaskRequest, type TaskStudy } from './task-study.ts';

/** What a file may take while Pawl looks at it. */
export interface InspectLimits {
  readonly timeout_s: number;
  readonly memory_bytes: number;
}

const GIB = 2 ** 30;

/** Enough for a first import of PyTorch from a slow disk and a few calls; memory that is free, and not all of it. */
export function defaultLimits(timeout_s = 120): InspectLimits {
  return { timeout_s, memory_bytes: Math.max(GIB, Math.floor(0.6 * freemem())) };
}

export type Inspector = {
  look(file: string): Promise<Looked>;
  call(file: InspectedFile, calls: readonly CallRequest[]): Promise<CalledAll>;
  /** What a task of GPU MODE makes and computes; `file` names it in messages. */
  task(file: string, request: TaskRequest): Promise<TaskStudy>;
};

/** Looks at Python files in processes of their own: in the sandbox, without a GPU, for a limited time, in limited memory. */
export function inspector(limits: InspectLimits, signal?: AbortSignal): Inspector {
  const ask = async <Answer>(
    file: string,
    request: { readonly what: 'look' | 'call' | 'task'; readonly [key: string]: unknown },
    schema: z.ZodType<Answer>,
  ): Promise<Answer> => {
    const found = await inspect(file, request, limits, signal);
    const answer = z.union([refusedSchema, schema]).safeParse(found);
    if (!answer.success) throw silent(file, 'gave an invalid answer');
    const refused = refusedSchema.safeParse(answer.data);
    if (refused.success)
      throw new PawlError(
        'bad-data',
        `${basename(file)}: ${refused.data.message}.`,
        request.what !== 'look' ? limitsHint(limits) : undefined,
      );
    return answer.data as Answer;
  };
  return {
    look: (file) => ask(file, { what: 'look', file }, lookedSchema),
    call: (file, calls) =>
      ask(file.file, { what: 'call', ...file, memory_bytes: limits.memory_bytes, calls }, calledSchema),
    task: (file, request) =>
      ask(
        file,
        {
          what: 'task',
          ...request,
          memory_bytes: limits.memory_bytes,
          // Time for imports and for the answer beside it.
          most_s: Math.max(1, Math.min(60, limits.timeout_s / 2)),
        },
        taskStudySchema,
      ),
  };
}

async function inspect(
  file: string,
  request: object,
  { timeout_s }: InspectLimits,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const [python, sandbox, hidden] = await Promise.all([
    findPython({ ...(signal && { signal }) }),
    findSandbox({ ...(signal && { signal }) }),
    privatePaths(process.env),
  ]);
  if (python.status !== 'found') {
    throw new PawlError(
      'unavailable',
      python.message,
      'Install Python 3.9 or later, or name one in $PAWL_PYTHON.',
    );
  }
  const scratch = await mkdtemp(join(tmpdir(), 'pawl-inspect-'));
  try {
    const program = [
      python.path,
      '-B',
      '-u',
      '-X',
      'utf8',
      join(packageRoot(), 'runner/python/pawl_inspect.py'),
    ];
    const hide = hidden.flatMap((path) => ['--hide', path]);
    const [command = '', ...args] =
      sandbox.program === undefined
        ? program
        : [sandbox.program, '--processes', '--write', scratch, ...hide, '--', ...program];
    const run = await runCommand(command, args, {
      env: { ...candidateEnvironment(process.env), HOME: scratch, TMPDIR: scratch, CUDA_VISIBLE_DEVICES: '' },
      cwd: scratch,
      timeout_ms: timeout_s * 1000,
      maxOutputBytes: 4 * 1024 * 1024,
      input: JSON.stringify(request),
      ...(signal && { signal }),
    });
    if (run.status === 'timed-out') {
      throw new PawlError(
        'bad-data',
        `${basename(file)} did not finish within ${timeout_s} s.`,
        'Give it more time with --timeout, or make its inputs smaller.',
      );
    }
    if (run.status === 'cancelled') throw new PawlError('try-again', 'Interrupted.');
    if (run.status === 'missing')
      throw new PawlError('unavailable', `${command} does not run: ${run.message}.`);
    if (run.status === 'signalled') throw silent(file, `ended Python with ${run.signal}`);
    return JSON.parse(run.stdout === '' ? 'null' : run.stdout);
  } catch (error) {
    throw error instanceof SyntaxError ? silent(file, 'gave an invalid answer') : error;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

function silent(file: string, what: string): PawlError {
  return new PawlError(
    'bad-data',
    `${basename(file)} ${what} while Pawl inspected it.`,
    'Run it by itself to see why.',
  );
}

function limitsHint({ timeout_s, memory_bytes }: InspectLimits): string {
  return `It ran without a GPU, for at most ${timeout_s} s and with at most ${(memory_bytes / GIB).toFixed(1)} GiB.`;
}
