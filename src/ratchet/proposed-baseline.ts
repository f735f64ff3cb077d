import { join } from 'node:path';

import { readPlainFile } from '../os/read-plain-file.ts';
import { BASELINE_FILE, type Baseline } from '../model/judge/baseline.ts';
import { PawlError } from '../model/pawl-error.ts';
import { keyId } from './entry-key.ts';
import { parseBaseline } from './parse-baseline.ts';
import { sharedRecords } from './rebase-baseline.ts';
import { verifyBaseline } from './verify-baseline.ts';

/** A baseline of thousands of cases has a few megabytes. */
const MOST_BYTES = 64 * 1024 * 1024;
/** Longer names, summaries and authors are not measured, they are written. */
const MOST_CHARACTERS = 2000;

/**
 * The baseline as the job that measured would have it. Kernel code ran in that job, so every byte may be its: a plain
 * file, as Pawl would write it, that continues the baseline of the commit with records of measurements of that commit.
 *
 * @returns undefined where nothing is proposed
 * @throws {PawlError} of kind `bad-data`, in words that hold nothing of the file
 */
export async function proposedBaseline(
  folder: string,
  before: Baseline,
  commit: string,
): Promise<Baseline | undefined> {
  const bytes = await readPlainFile(join(folder, BASELINE_FILE), MOST_BYTES);
  if (bytes === undefined) return undefined;
  const proposed = parsed(bytes.toString('utf8'));
  if (sharedRecords(before, proposed) < before.log.length) {
    throw refusal('it does not continue the baseline of the commit that was pushed');
  }
  for (const record of proposed.log.slice(before.log.length)) {
    if (record.type !== 'first' && record.type !== 'advance') {
      throw refusal('it has a change that only a person may make');
    }
    // Later checks measure an entry's own commit again: a slower one in its place would lower the bar.
    const entry = proposed.entries.find(({ key }) => keyId(key) === keyId(record.key));
    if (record.commit !== commit || entry?.provenance.commit !== commit) {
      throw refusal('it has a measurement of a different commit');
    }
    if (Math.max(record.summary.length, record.author.length) > MOST_CHARACTERS) {
      throw refusal('it has a text that is too long');
    }
  }
  return proposed;
}

function parsed(text: string): Baseline {
  try {
    const document = parseBaseline(text, 'the proposed baseline');
    if (verifyBaseline(text).length === 0) return document;
  } catch (error) {
    if (!(error instanceof PawlError)) throw error;
  }
  throw refusal('it was changed outside Pawl');
}

function refusal(why: string): PawlError {
  return new PawlError(
    'bad-data',
    `The proposed baseline is refused: ${why}.`,
    'Run the job that measures again, from a clean checkout.',
  );
}
