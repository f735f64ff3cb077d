/** `node bench/adopt-run.mjs FILE CANDIDATE [CASE]`: what `adopt --run` finds, without times, as one JSON document. */
import process from 'node:process';

import { adopt } from '../dist/index.js';

const [path, solution, name] = process.argv.slice(2);
const only = ['reference', 'mine'];
try {
  const { run, assumed } = await adopt({
    path,
    solution,
    only,
    run: true,
    timed: false,
    ...(name !== undefined && { cases: [name] }),
  });
  process.stdout.write(JSON.stringify({ report: run.report, assumed: assumed.map(({ text }) => text) }));
} catch (error) {
  process.stdout.write(JSON.stringify({ reason: error.message }));
}
