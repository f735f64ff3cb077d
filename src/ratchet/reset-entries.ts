import { hashText } from '../os/file-hasher.ts';
import type { Baseline, EntryKey } from '../model/judge/baseline.ts';
import { PawlError } from '../model/pawl-error.ts';
import type { Samples } from '../model/measure/samples.ts';
import { entryKey, entryKeyText, keyId } from './entry-key.ts';
import { knownKeys, matchingKeys } from './find-entry.ts';
import type { Accepted, Audit } from './make-entry.ts';
import { reset, restart } from './operations.ts';
import { logProblems } from './verify-baseline.ts';
import { changeBaseline, type ChangeOptions } from './baseline-file.ts';

export interface ResetOptions extends ChangeOptions {
  /** `kernel/case` or the whole text of a key; `*` stands for any text. */
  readonly pattern: string;
  readonly reason: string;
  /** Samples that replace the entries. Without them the entries are removed, and the next measurement starts over. */
  readonly samples?: Samples;
  readonly allowUnchecked?: boolean;
}

export interface ResetResult {
  readonly path: string;
  readonly removed: readonly string[];
  readonly replaced: readonly string[];
  /** The log was broken and starts over. */
  readonly restarted: boolean;
}

/**
 * Removes the entries that match, or replaces them by new samples. It also repairs a file that was edited by hand, and
 * notes that in the log.
 *
 * @throws {PawlError} of kind `usage` if no entry matches, or the samples do not have it; `bad-data` if the log is
 * broken and only a part is to be reset
 */
export async function resetEntries(options: ResetOptions): Promise<ResetResult> {
  const removed: string[] = [];
  const replaced: string[] = [];
  let restarted = false;
  const work = (before: Baseline, audit: Audit): Baseline => {
    const meant = matchingKeys(before, options.pattern);
    const problem = logProblems(before.log)[0];
    if (problem !== undefined) {
      if (meant.length < knownKeys(before).length || options.samples !== undefined)
        throw logIsBroken(problem);
      restarted = true;
      removed.push(...meant.map(entryKeyText));
      return restart(before, hashText(JSON.stringify(before)), options.reason, audit);
    }
    return meant.reduce((baseline, key) => {
      const replacement = options.samples && acceptedFor(options.samples, key, options.allowUnchecked);
      (replacement === undefined ? removed : replaced).push(entryKeyText(key));
      return reset(baseline, key, options.reason, audit, replacement);
    }, before);
  };
  const { path } = await changeBaseline(options, work, { repair: true });
  return { path, removed, replaced, restarted };
}

function acceptedFor(samples: Samples, key: EntryKey, allowUnchecked: boolean | undefined): Accepted {
  const found = samples.measurements.find((each) => keyId(entryKey(each, samples)) === keyId(key));
  if (found !== undefined) return { measurement: found, samples, allowUnchecked };
  throw new PawlError(
    'usage',
    `the samples have no measurement of ${entryKeyText(key)}`,
    'Measure it on this device class, or reset without samples.',
  );
}

function logIsBroken(problem: string): PawlError {
  return new PawlError(
    'bad-data',
    `The log of the baseline cannot be continued: ${problem}.`,
    'Restore the last good file from git, or reset everything: pawl ratchet reset "*"',
  );
}
