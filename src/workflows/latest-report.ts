import { readdir, readFile, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { PawlError } from '../model/pawl-error.ts';
import { realPathBelow } from '../os/below-folder.ts';
import { runsDirectory } from './runs/bench/recover-runs.ts';

/** What the latest `pawl bench` wrote for people, in Markdown. */
export async function latestReport(root: string): Promise<string> {
  const runs = runsDirectory(root);
  // `.pawl` may be on another disk; a link below it leads to what Pawl did not write.
  const pawl = await realpath(dirname(runs)).catch(() => root);
  const names = await readdir(runs).catch(() => []);
  // Folders are named after the time.
  for (const name of names.toSorted((one, other) => (one < other ? 1 : -1))) {
    const file = await realPathBelow(pawl, join(runs, name, 'report.md')).catch(() => undefined);
    const text = file && (await readFile(file, 'utf8').catch(() => undefined));
    if (text !== undefined) return text;
  }
  throw new PawlError('unavailable', 'Nothing has been measured here yet.', 'pawl bench writes a report.');
}
