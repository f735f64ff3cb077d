import { Command, Option } from 'commander';

import { EXIT, EXIT_CODE_HELP } from './exit-codes.ts';
import { runAction } from './run-action.ts';

interface InitFlags {
  readonly device: 'cpu' | 'cuda' | 'auto';
  readonly force?: boolean;
  readonly json?: boolean;
}

export function initCommand(): Command {
  return new Command('init')
    .description('write a pawl.yaml and a small tunable kernel to start from')
    .argument('[folder]', 'where', '.')
    .addOption(
      new Option('--device <device>', 'what the example kernel runs on')
        .choices(['cpu', 'cuda', 'auto'])
        .default('auto'),
    )
    .option('--force', 'overwrite what is there')
    .option('--json', 'print what was written as JSON')
    .addHelpText(
      'after',
      `
Nothing that exists is overwritten without --force.

Examples:
  pawl init                     here
  pawl init kernels/mine --device cuda
${EXIT_CODE_HELP}`,
    )
    .action((folder: string, flags: InitFlags) =>
      runAction(flags, async (door) => {
        const { initProject } = await import('../workflows/init.ts');
        const result = await initProject({
          directory: folder,
          device: flags.device,
          force: flags.force === true,
        });
        if (flags.json === true) door.print(JSON.stringify(result));
        else {
          for (const path of result.written) door.print(`wrote  ${path}`);
          for (const path of result.kept) door.print(`kept   ${path}  (--force overwrites it)`);
          const there = folder === '.' ? '' : `cd ${folder} && `;
          door.print(`\nNext: ${there}pawl bench`);
        }
        return EXIT.good;
      }),
    );
}
