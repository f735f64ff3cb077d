import { runCommand, type CommandResult } from '../../os/run-command.ts';
import type { ProcessContext } from '../../os/run-context.ts';

export interface HostCommandOptions extends Pick<ProcessContext, 'signal' | 'env'> {
  readonly cwd: string;
  readonly timeout_ms: number;
}

export interface HostCommandOutcome {
  readonly ok: boolean;
  readonly code?: number;
  readonly detail: string;
}

/** Enough to tell why a cloud's tool refused; a command that prints without end costs no more memory than this. */
const OUTPUT_BYTES = 64 * 1024;
const DETAIL_LENGTH = 300;

/** Runs a command of wake.yaml: no shell, a process group of its own, an end for certain. */
export async function runHostCommand(
  [program = '', ...args]: readonly string[],
  { cwd, env, timeout_ms, signal }: HostCommandOptions,
): Promise<HostCommandOutcome> {
  const result = await runCommand(program, args, {
    cwd,
    env,
    timeout_ms,
    signal,
    maxOutputBytes: OUTPUT_BYTES,
  });
  const ending = endingText(result, timeout_ms);
  const said = result.status === 'missing' ? '' : lastWords(result.stderr) || lastWords(result.stdout);
  return {
    ok: result.status === 'exited' && result.code === 0,
    ...(result.status === 'exited' ? { code: result.code } : {}),
    detail: `${program} ${ending}${said === '' ? '' : `: ${said}`}`.slice(0, DETAIL_LENGTH),
  };
}

function endingText(result: CommandResult, timeout_ms: number): string {
  switch (result.status) {
    case 'exited':
      return `ended with ${result.code}`;
    case 'signalled':
      return `was ended by ${result.signal}`;
    case 'timed-out':
      return `took longer than ${timeout_ms / 1000} s`;
    case 'cancelled':
      return 'was interrupted';
    case 'missing':
      return `could not be started (${result.message})`;
  }
}

function lastWords(output: string): string {
  const lines = output
    .split(/[\r\n]+/)
    .map((line) => line.replaceAll(/\p{C}/gu, '').trim())
    .filter((line) => line !== '');
  return lines.slice(-2).join(' / ');
}
