import { shellWord } from '../../model/text/shell-word.ts';
import type { JobCommand } from '../engine.ts';

/** The script of a job: the command of the task's number takes the shell's place, so that signals reach it. */
export function jobScript(commands: readonly JobCommand[]): string {
  const [only] = commands;
  if (only === undefined) throw new Error('a job without a command');
  const head = '#!/bin/sh\n';
  if (commands.length === 1) return `${head}${commandLine(only)}\n`;
  const arms = commands.map((command, index) => `${index}) ${commandLine(command)} ;;`);
  return `${head}case "$SLURM_ARRAY_TASK_ID" in\n${arms.join('\n')}\n*) exit 64 ;;\nesac\n`;
}

function commandLine({ program, args, env = {} }: JobCommand): string {
  const settings = Object.entries(env).map(([name, value]) => {
    if (!/^[A-Z_][A-Z0-9_]*$/.test(name)) throw new Error(`${name} is not a variable name`);
    return `${name}=${argument(value)}`;
  });
  const words = [program, ...args].map(argument).join(' ');
  return settings.length === 0 ? `exec ${words}` : `exec env ${settings.join(' ')} ${words}`;
}

/** A text with a zero byte cannot be an argument. */
function argument(text: string): string {
  if (text.includes('\0')) throw new Error('an argument cannot hold a zero byte');
  return shellWord(text);
}
