import { resolve } from 'node:path';

import { findCodeHost } from '../history/code-host.ts';
import { compareSides } from '../history/compare-sides.ts';
import type { History } from '../history/history.ts';
import { PawlError } from '../model/pawl-error.ts';
import type { AskedSide, SidesComparison } from '../model/history/sides-comparison.ts';
import { askGit } from '../os/git/run-git.ts';
import { writeDurably } from '../os/write-durably.ts';
import { sidesCsv } from '../report/sides-csv.ts';
import { openHistory, projectRoot, type HistoryOptions } from './history.ts';

/** The two sides: a commit, a branch, a device or a driver each. */
export interface CompareSidesOptions extends HistoryOptions {
  /** The side that `b` is compared with. A revision may be anything that git knows: `main`, `HEAD~3`, a tag. */
  readonly a: AskedSide;
  readonly b: AskedSide;
  /** A file for the table. */
  readonly csv?: string | undefined;
}

/** The comparison of two sides, and the files that were written. */
export interface SidesOutcome {
  readonly comparison: SidesComparison;
  readonly files: Readonly<Record<string, string>>;
}

/**
 * Compares two commits, branches, devices or drivers on the samples in the history, without measuring.
 *
 * @throws {PawlError} of kind `usage` if the history has nothing of a side
 */
export async function compareStored(options: CompareSidesOptions): Promise<SidesOutcome> {
  const history = await openHistory(options);
  try {
    const root = await projectRoot(options);
    const a = await named(history, root, options.a);
    const b = await named(history, root, options.b);
    const comparison = await compareSides(history, { a, b }, await findCodeHost(root));
    if (options.csv === undefined) return { comparison, files: {} };
    const path = resolve(options.csv);
    await writeDurably(path, sidesCsv(comparison.cases));
    return { comparison, files: { csv: path } };
  } finally {
    await history.close();
  }
}

/** As the history knows it, or else as git does: a branch that was never measured may point at a commit that was. */
async function named(history: History, root: string, asked: AskedSide): Promise<AskedSide> {
  const { revision } = asked;
  if (revision === undefined) return asked;
  try {
    await history.side({ revision });
    return asked;
  } catch (error) {
    if (!(error instanceof PawlError) || error.kind !== 'usage' || revision.startsWith('-')) throw error;
    const sha = (await askGit(root, ['rev-parse', '--verify', '--quiet', `${revision}^{commit}`]))?.trim();
    const [known] = sha === undefined || sha === '' ? [] : await history.commits([sha]);
    if (known === undefined) throw error;
    return { ...asked, revision: known.sha };
  }
}
