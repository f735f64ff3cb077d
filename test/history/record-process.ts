/**
 * Records runs as a command does at its end, and prints what it is told while doing so.
 *
 * argv: project, numbers of runs
 */
import process from 'node:process';

import { recordRun } from '../../src/history/store/record-run.ts';
import { storedRunOf } from './stored-run-of.ts';

const [config, ...numbers] = process.argv.slice(2);
for (const at of numbers.map(Number)) {
  await recordRun(storedRunOf({ at, cases: ['a', 'b', 'c', 'd'] }), {
    config,
    onProgress: (event) => {
      if (event.type === 'note') process.stdout.write(`${at}: ${event.text}\n`);
    },
  });
  process.stdout.write(`${at}: done\n`);
}
