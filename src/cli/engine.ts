import { Command } from 'commander';

import { EXIT } from './exit-codes.ts';
import { wholeNumber } from './options.ts';
import { runAction } from './run-action.ts';

/** What jobs of a cluster run; people have no use for it. */
export function engineCommand(): Command {
  return new Command('engine').addCommand(
    new Command('task')
      .description('measure one cell of a benchmark matrix')
      .argument('<folder>', 'of the matrix')
      .argument('<index>', 'of the cell', wholeNumber)
      .action((folder: string, index: number) =>
        runAction({ quiet: true }, async (door) => {
          const { runEngineTask } = await import('../workflows/engine/engine-task.ts');
          await runEngineTask({ folder, index, signal: door.signal, onProgress: door.onProgress });
          return EXIT.good;
        }),
      ),
  );
}
