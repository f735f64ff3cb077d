#!/usr/bin/env node

import { PAWL_VERSION } from '../model/version.ts';
import { reportFailure } from './report-failure.ts';

// Node's own end would be 1, which says that a kernel got worse.
process.on('uncaughtException', (error) => process.exit(reportFailure(error)));

// A reader that has seen enough (`| head`) ends us without a word.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit();
  throw error;
});

// Asked by scripts and editors all the time: answered before anything else is loaded.
if (process.argv.length === 3 && process.argv[2] === '--version') process.stdout.write(`${PAWL_VERSION}\n`);
else await (await import('./program.ts')).runPawl();
