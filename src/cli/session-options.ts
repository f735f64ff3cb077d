import type { Command } from 'commander';

import { defined } from '../model/defined.ts';
import { processesOption, waitOption, withOutput, type OutputFlags } from './option-groups.ts';
import { configOption } from './options.ts';
import type { Door } from './run-action.ts';

export interface SessionFlags extends OutputFlags {
  readonly config?: string;
  readonly session?: string;
}

export interface WorkFlags extends SessionFlags {
  readonly wait: number;
  readonly processes?: number;
}

export function commonOptions(command: Command): Command {
  return withOutput(command.addOption(configOption()), 'the session as JSON (schema pawl.session/1)');
}

export function ofSession(command: Command): Command {
  return commonOptions(command).option('--session <id>', 'the session (default: the latest open one)');
}

export function working(command: Command): Command {
  return ofSession(command)
    .addOption(waitOption({ what: 'a device or session that another Pawl is using' }))
    .addOption(processesOption('at most this many processes per side'));
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
export const terminal = () => import('../report/terminal/session-terminal.ts');
