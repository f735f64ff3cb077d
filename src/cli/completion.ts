import { Argument, Command } from 'commander';

import { EXIT, EXIT_CODE_HELP } from './exit-codes.ts';
import { runAction } from './run-action.ts';
import { SHELLS, type Shell } from './completion-scripts.ts';

export function completionCommand(wholeProgram: () => Promise<Command>): Command {
  return new Command('completion')
    .addArgument(new Argument('<shell>', 'the shell to write it for').choices(SHELLS))
    .addHelpText(
      'after',
      `
Completes commands, options and their fixed values. The script is generated from the same declarations as --help.

Examples:
  eval "$(pawl completion bash)"                 in ~/.bashrc
  eval "$(pawl completion zsh)"                  in ~/.zshrc, after compinit
  pawl completion fish | source                  in ~/.config/fish/config.fish
${EXIT_CODE_HELP}`,
    )
    .action((shell: Shell) =>
      runAction({}, async (door) => {
        const [{ completionScript }, { commandTree }] = await Promise.all([
          import('./completion-scripts.ts'),
          import('./command-tree.ts'),
        ]);
        door.print(completionScript(shell, commandTree(await wholeProgram())));
        return EXIT.good;
      }),
    );
}
