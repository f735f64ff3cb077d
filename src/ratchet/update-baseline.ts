import { readdir, readFile, realpath, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import { flush, writeDurably } from '../os/write-durably.ts';
import { EMPTY_BASELINE, type Baseline, type BaselineDocument } from '../model/judge/baseline.ts';
import { PawlError } from '../model/pawl-error.ts';
import { isStale, withBaselineLock, type LockOptions } from './baseline-lock.ts';
import { parseBaseline } from './parse-baseline.ts';
import { baselineText, sealBaseline } from './seal.ts';
import { documentProblems } from './verify-baseline.ts';

/** A thousand times a large one; a file beyond it is not read into memory. */
const MAX_BYTES = 256 * 1024 * 1024;

/** The text of the file; undefined where there is none. */
export async function readBaselineText(path: string): Promise<string | undefined> {
  try {
    if ((await stat(path)).size > MAX_BYTES) {
      throw new PawlError(
        'bad-data',
        `${basename(path)} is too large to be a baseline`,
        'Check the file name.',
      );
    }
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The baseline as it stands; undefined where there is none yet. Its soundness is `verifyBaseline`'s business. */
export async function readBaseline(path: string): Promise<BaselineDocument | undefined> {
  const text = await readBaselineText(path);
  return text === undefined ? undefined : parseBaseline(text, basename(path));
}

export interface UpdateOptions extends LockOptions {
  /** $PAWL_BASELINE_KEY: signs what is written. */
  readonly key?: string | undefined;
  /** The change repairs an invalid file (a reset); the result must still be valid. */
  readonly repair?: boolean;
  /** The file was written before there was a key, and is to be signed now. */
  readonly adopt?: boolean;
}

/**
 * Changes the baseline file: reads it under the lock, applies `change`, and puts the result in its place at once
 * (write, fsync, rename), so that a reader finds the old file or the new one, even after a `kill -9`.
 * A file that is not sound is not built upon: what was edited by hand would look as if Pawl had written it.
 */
export async function updateBaseline(
  path: string,
  change: (baseline: Baseline) => Baseline,
  options: UpdateOptions = {},
): Promise<Baseline> {
  const file = await realPathOf(path);
  return withBaselineLock(
    file,
    async () => {
      await removeLeftovers(file);
      const current = await readBaseline(file);
      if (current !== undefined) refuseUnsound(current, basename(file), options);
      const before = current ?? EMPTY_BASELINE;
      const after = change(before);
      if (after === before && options.adopt !== true) return after;
      const sealed = sealBaseline(after, options.key);
      const [problem] = documentProblems(sealed, options.key);
      if (problem !== undefined) throw unsound(basename(file), problem);
      await writeDurably(file, baselineText(sealed));
      await flush(dirname(file));
      return after;
    },
    options,
  );
}

function refuseUnsound(document: BaselineDocument, label: string, options: UpdateOptions): void {
  const { key } = options;
  if (document.signature !== undefined && key === undefined) {
    throw new PawlError(
      'permission',
      `${label} is signed, and no key was given to sign it again.`,
      'Set $PAWL_BASELINE_KEY, or make the change where it is set.',
    );
  }
  const isUnsigned = document.signature === undefined && options.adopt === true;
  const [problem] = documentProblems(document, isUnsigned ? undefined : key);
  if (problem !== undefined && options.repair !== true) throw unsound(label, problem);
}

function unsound(label: string, problem: string): PawlError {
  return new PawlError(
    'bad-data',
    `${label} is not valid: ${problem}.`,
    `Restore the last good version (git restore -- ${label}), or reset what is wrong: pawl ratchet reset`,
  );
}

/** Through a link, so that the file it leads to is replaced and not the link. */
async function realPathOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return join(await realpath(dirname(path)), basename(path));
  }
}

/** What writers that were killed left behind: half-written files, which under the lock no other writer has, and drafts of locks. */
async function removeLeftovers(file: string): Promise<void> {
  const start = `${basename(file)}.`;
  for (const name of await readdir(dirname(file))) {
    const rest = name.startsWith(start) ? name.slice(start.length) : '';
    const path = join(dirname(file), name);
    const isDraft = /^lock\.[0-9a-f]{12}\.tmp$/.test(rest);
    if (/^[0-9a-f]{12}\.tmp$/.test(rest) || (isDraft && (await isStale(path))))
      await rm(path, { force: true });
  }
}
