import { Command } from 'commander';

import { ciBaselineCommand } from './ci-baseline.ts';
import { ciDraftPrCommand } from './ci-draft-pr.ts';
import { ciPostCommand } from './ci-post.ts';
import { ciPublishCommand } from './ci-publish.ts';
import { ciRestoreCommand } from './ci-restore.ts';
import { ciRunCommand } from './ci-run.ts';

/** The first is what `pawl ci` does by itself. */
const SUBCOMMANDS: readonly (() => Command)[] = [
  ciRunCommand,
  ciPostCommand,
  ciPublishCommand,
  ciBaselineCommand,
  ciDraftPrCommand,
  ciRestoreCommand,
];

export function ciCommand(): Command {
  const command = new Command('ci').addHelpText(
    'after',
    '\n`pawl ci` is short for `pawl ci run`. Options: pawl ci run --help (docs/ci.md)',
  );
  for (const [index, subcommand] of SUBCOMMANDS.entries()) {
    command.addCommand(subcommand(), { isDefault: index === 0 });
  }
  return command;
}
