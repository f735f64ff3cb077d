import { Command } from 'commander';

import { EXIT, EXIT_CODE_HELP } from './exit-codes.ts';
import { runAction } from './run-action.ts';

export function ciRestoreCommand(): Command {
  return new Command('restore')
    .description('undo clock locks that a killed run left behind; use it as the last step of a job, always')
    .option('--json', 'print what was found as JSON')
    .addHelpText('after', EXIT_CODE_HELP)
    .action((flags: { readonly json?: boolean }) =>
      runAction(flags, async (door) => {
        const { restoreClocks } = await import('../workflows/restore-clocks.ts');
        const locks = await restoreClocks();
        if (flags.json === true) door.print(JSON.stringify(locks, undefined, 2));
        else {
          for (const { uuid, status, message } of locks) door.print(`${status}  ${uuid}: ${message}`);
          if (locks.length === 0) door.print('No clocks are locked by Pawl.');
        }
        return locks.some(({ status }) => status === 'failed') ? EXIT.bad : EXIT.good;
      }),
    );
}
