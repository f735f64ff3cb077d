import type { Baseline, BaselineDocument, LogRecord } from '../model/judge/baseline.ts';
import { PawlError } from '../model/pawl-error.ts';
import { hashOf } from '../os/canonical-json.ts';
import { entryKeyText, keyId } from './entry-key.ts';
import { GENESIS, recordHash } from './log.ts';
import { parseBaseline } from './parse-baseline.ts';
import { integrityOf, isSignedBy } from './seal.ts';
import { isTooLong, WAIVER_MAX_DAYS } from './waivers.ts';

export interface VerifyOptions {
  /** $PAWL_BASELINE_KEY; with it the signature is verified, and has to be there. */
  readonly key?: string | undefined;
  /** How the file is called in messages. */
  readonly label?: string;
}

/**
 * What is wrong with a baseline file, a sentence each; none for a file that only Pawl has written. Hashes anybody can
 * compute show a hand edit, not a forger who computes them again: for that there are the signature and git's history.
 */
export function verifyBaseline(text: string, options: VerifyOptions = {}): string[] {
  let document: BaselineDocument;
  try {
    document = parseBaseline(text, options.label ?? 'the baseline');
  } catch (error) {
    if (error instanceof PawlError) return [error.message];
    throw error;
  }
  return documentProblems(document, options.key);
}

export function documentProblems(document: BaselineDocument, key: string | undefined): string[] {
  const problems = [...logProblems(document.log), ...entryProblems(document)];
  if (document.integrity !== integrityOf(document) && problems.length === 0) {
    problems.push(
      'the entries and the log do not belong together: the last records of the log were removed, or the file was edited by hand',
    );
  }
  if (key !== undefined && !isSignedBy(document, key)) {
    problems.push(
      document.signature === undefined
        ? 'the file is not signed, although there is a key to verify it'
        : 'the signature was made with another key',
    );
  }
  return problems;
}

/** What breaks the chain: a record that is missing, edited or out of its place. */
export function logProblems(log: Baseline['log']): string[] {
  const problems: string[] = [];
  let before: LogRecord | undefined;
  for (const record of log) {
    const { n } = record;
    const expected = (before?.n ?? 0) + 1;
    if (before === undefined && n > 1) {
      problems.push(`the log does not reach back to its beginning: its first record is number ${n}`);
    } else if (n > expected) {
      problems.push(
        n === expected + 1
          ? `record ${expected} of the log is missing`
          : `records ${expected} to ${n - 1} of the log are missing`,
      );
    } else if (n < expected) {
      problems.push(`record ${n} of the log stands after record ${expected - 1}`);
    } else if (record.prev !== (before?.hash ?? GENESIS)) {
      problems.push(
        before === undefined
          ? 'the log does not reach back to its beginning: its first record follows another'
          : `record ${n} of the log does not follow record ${before.n}: one of them was replaced`,
      );
    }
    if (record.hash !== recordHash(record)) {
      problems.push(`record ${n} of the log (${record.type}) was edited by hand: its hash does not match`);
    }
    if (record.type === 'waive' && isTooLong(record)) {
      problems.push(`the waiver of record ${n} lasts longer than ${WAIVER_MAX_DAYS} days`);
    }
    before = record;
  }
  return problems;
}

function entryProblems({ entries, log }: Baseline): string[] {
  const problems: string[] = [];
  const latest = new Map<string, Extract<LogRecord, { key: unknown }>>();
  for (const record of log) if ('key' in record) latest.set(keyId(record.key), record);
  const seen = new Set<string>();
  for (const entry of entries) {
    const id = keyId(entry.key);
    const text = entryKeyText(entry.key);
    if (seen.has(id)) problems.push(`the entry ${text} appears twice`);
    seen.add(id);
    const record = latest.get(id);
    if (record === undefined) {
      problems.push(`the entry ${text} was added by hand: the log has no record of it`);
    } else if (record.entry === undefined) {
      problems.push(`the entry ${text} was restored by hand: record ${record.n} of the log removed it`);
    } else if (record.entry !== hashOf(entry)) {
      problems.push(
        `the entry ${text} was edited by hand: it is not the one that record ${record.n} of the log (${record.type}) put there`,
      );
    }
  }
  for (const [id, record] of latest) {
    if (record.entry !== undefined && !seen.has(id)) {
      problems.push(`the entry ${entryKeyText(record.key)} was removed by hand: the log has no reset of it`);
    }
  }
  return problems;
}
