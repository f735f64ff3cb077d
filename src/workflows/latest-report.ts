import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { PawlError } from '../model/pawl-error.ts';
import { runsDirectory } from './bench/recover-runs.ts';

/** What the latest `pawl bench` wrote for people, in Markdown. */
export async function latestReport(root: string): Promise<string> {
  const runs = runsDirectory(root);
  const names = await readdir(runs).catch(() => []);
  // Folders are named after the time.
  for (const name of names.toSorted((one, other) => (one < other ? 1 : -1))) {
    const text = await readFile(join(runs, name, 'report.md'), 'utf8').catch(() => undefined);
    if (text !== undefined) return text;
  }
  throw new PawlError('unavailable', 'Nothing has been measured here yet.', 'pawl bench writes a report.');
}
