import { setMaxListeners } from 'node:events';
import { basename } from 'node:path';

import { defined } from '../model/defined.ts';
import type { CommandResult } from '../os/run-command.ts';
import { runCommand } from '../os/run-command.ts';
import type { BuildFailure } from './build-job.ts';
import type { CompileCommands } from './compile-commands.ts';
import { compilerHint, compilerMessage, resourceHint } from './compiler-message.ts';
import type { Semaphore } from '../os/semaphore.ts';

export interface CompileSetting {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly timeout_ms: number;
  readonly signal: AbortSignal | undefined;
  readonly processes: Semaphore;
  readonly sandbox: CompileSandbox | undefined;
}

/** What compilers of foreign sources run in, and where they may write. */
interface CompileSandbox {
  readonly program: string;
  readonly writable: readonly string[];
  readonly hidden: readonly string[];
}

/** Bound on a log that is kept: a compiler's first words are the ones that matter. */
const LOG_CHARACTERS = 256 * 1024;

/** What `pawl-sandbox` ends with where it could not run the program, and how it says so. */
const NOT_RUN = 127;
const SANDBOX_WORDS = /^pawl-sandbox: /;

/** Signals that somebody else sends: the kernel that is out of memory, a person, a batch system. */
const FROM_OUTSIDE = new Set<NodeJS.Signals>([
  'SIGKILL',
  'SIGTERM',
  'SIGINT',
  'SIGHUP',
  'SIGXCPU',
  'SIGXFSZ',
]);

export type CompileResult = { readonly status: 'done'; readonly log: string } | BuildFailure;

/** Compiles the sources side by side and links them; the first failure ends what still runs. */
export async function runCompile(commands: CompileCommands, setting: CompileSetting): Promise<CompileResult> {
  const argvs = [...commands.compile.map(({ argv }) => argv), commands.link];
  const given = new AbortController();
  const signal =
    setting.signal === undefined ? given.signal : AbortSignal.any([setting.signal, given.signal]);
  // Every compiler listens; Node takes more than ten for a leak.
  setMaxListeners(0, signal);
  const run = async (argv: readonly string[]): Promise<CommandResult> => {
    const [program = '', ...args] = confined(argv, setting.sandbox);
    const result = await setting.processes.run(async () =>
      asIfPlain(
        await runCommand(program, args, {
          cwd: setting.cwd,
          env: setting.env,
          timeout_ms: setting.timeout_ms,
          signal,
        }),
      ),
    );
    if (!isGood(result)) given.abort();
    return result;
  };
  const compiled = await Promise.all(commands.compile.map(({ argv }) => run(argv)));
  const results = compiled.every(isGood) ? [...compiled, await run(commands.link)] : compiled;
  const log = results.map(outputOf).join('');
  const bad = results.filter((result) => !isGood(result));
  // Those that were ended because of another's failure say nothing about it.
  const cause = bad.find(({ status }) => status !== 'cancelled') ?? bad[0];
  if (cause === undefined) return { status: 'done', log };
  const failure = describe(cause, argvs[results.indexOf(cause)] ?? [], setting.timeout_ms);
  return { status: 'failed', ...failure, log: boundedLog(log), commands: argvs };
}

function confined(argv: readonly string[], sandbox: CompileSandbox | undefined): readonly string[] {
  if (sandbox === undefined) return argv;
  return [
    sandbox.program,
    // A compiler driver starts the compiler proper, the assembler and the linker.
    '--processes',
    ...sandbox.writable.flatMap((folder) => ['--write', folder]),
    ...sandbox.hidden.flatMap((path) => ['--hide', path]),
    '--',
    ...argv,
  ];
}

/** The sandbox ends as the compiler does; only where there is none has it words of its own. */
function asIfPlain(result: CommandResult): CommandResult {
  const isOwn = result.status === 'exited' && result.code === NOT_RUN && SANDBOX_WORDS.test(result.stderr);
  return isOwn ? { status: 'missing', message: result.stderr.trim() } : result;
}

export function boundedLog(log: string): string {
  return log.length <= LOG_CHARACTERS
    ? log
    : `${log.slice(0, LOG_CHARACTERS)}\n… (${log.length} characters)\n`;
}

function isGood(result: CommandResult): boolean {
  return result.status === 'exited' && result.code === 0;
}

function outputOf(result: CommandResult): string {
  return result.status === 'missing' ? `${result.message}\n` : result.stdout + result.stderr;
}

function describe(
  result: CommandResult,
  argv: readonly string[],
  timeout_ms: number,
): Pick<BuildFailure, 'reason' | 'message' | 'hint'> {
  const program = basename(argv[0] ?? '');
  if (result.status === 'missing') return { reason: 'compiler-missing', message: result.message };
  if (result.status === 'cancelled') return { reason: 'cancelled', message: 'The build was cancelled.' };
  if (result.status === 'timed-out') {
    return {
      reason: 'timed-out',
      message: `${program} was stopped after ${timeout_ms / 1000} s.`,
      hint: 'Give it more time, or less to do: fewer architectures, less unrolling.',
    };
  }
  if (result.status === 'signalled') {
    return {
      // A compiler ends itself by the other signals, on a source that it cannot cope with.
      reason: FROM_OUTSIDE.has(result.signal) ? 'out-of-resources' : 'compile-error',
      message: `${program} was killed by ${result.signal}.`,
      hint: 'It probably ran out of memory: build fewer at a time (--parallel 1).',
    };
  }
  const lacking = resourceHint(outputOf(result));
  if (lacking !== undefined) {
    const message = compilerMessage(outputOf(result));
    return { reason: 'out-of-resources', message, hint: lacking };
  }
  const message =
    compilerMessage(outputOf(result)) || `${program} ended with exit code ${result.code} and no message.`;
  const hint = compilerHint(message);
  return { reason: 'compile-error', message, ...defined({ hint }) };
}
