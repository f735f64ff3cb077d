import type { Command } from 'commander';

import { defined } from '../model/defined.ts';
import { configOption, positiveInteger, seconds } from './options.ts';
import type { Door } from './run-action.ts';

export interface SessionFlags {
  readonly config?: string;
  readonly session?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

export interface WorkFlags extends SessionFlags {
  readonly wait: number;
  readonly processes?: number;
}

export function commonOptions(command: Command): Command {
  return command
    .addOption(configOption())
    .option('--json', 'print the session as JSON (schema pawl.session/1)')
    .option('-q, --quiet', 'no progress display');
}

export function ofSession(command: Command): Command {
  return commonOptions(command).option('--session <id>', 'default: the latest that has not ended');
}

export function working(command: Command): Command {
  return ofSession(command)
    .option('--wait <seconds>', 'wait this long for a device or session that is in use', seconds, 0)
    .option('--processes <n>', 'at most this many processes a side', positiveInteger);
}

export function targetOf(flags: SessionFlags) {
  return defined({ config: flags.config, session: flags.session });
}

export function workOf(flags: WorkFlags, door: Door) {
  return {
    ...targetOf(flags),
    ...defined({ processes: flags.processes }),
    wait_s: flags.wait,
    signal: door.signal,
    onProgress: door.onProgress,
  };
}

export const workflow = () => import('../workflows/session.ts');
export const terminal = () => import('../report/session-terminal.ts');

export function json(value: unknown): string {
  return JSON.stringify(value, undefined, 2);
}
