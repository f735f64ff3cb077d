import { Command } from 'commander';

import { PAWL_VERSION } from '../model/version.ts';
import { EXIT, EXIT_CODE_HELP } from './exit-codes.ts';
import { runAction } from './run-action.ts';

export function manCommand(wholeProgram: () => Promise<Command>): Command {
  return new Command('man')
    .addHelpText(
      'after',
      `
Every command with its options and examples, generated from the same declarations as --help. \`npm install --global\` puts the
page where \`man pawl\` finds it.

Examples:
  pawl man | man -l -                            read it
  mkdir -p ~/.local/share/man/man1 && pawl man > ~/.local/share/man/man1/pawl.1    keep it
${EXIT_CODE_HELP}`,
    )
    .action(() =>
      runAction({}, async (door) => {
        const [{ manualPage }, { commandTree }] = await Promise.all([
          import('./manual-page.ts'),
          import('./command-tree.ts'),
        ]);
        door.print(manualPage(commandTree(await wholeProgram()), PAWL_VERSION));
        return EXIT.good;
      }),
    );
}
