import { Command } from 'commander';

import { ciPostCommand } from './ci-post.ts';
import { ciRunCommand } from './ci-run.ts';

/** The first is what `pawl ci` does by itself. */
const SUBCOMMANDS: readonly (() => Command)[] = [ciRunCommand, ciPostCommand];

export function ciCommand(): Command {
  const command = new Command('ci').description('the gate in continuous integration: pull requests, pushes');
  for (const [index, subcommand] of SUBCOMMANDS.entries()) {
    command.addCommand(subcommand(), { isDefault: index === 0 });
  }
  return command;
}
