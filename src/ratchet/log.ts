import { defined } from '../model/defined.ts';
import type { Baseline, LogRecord } from '../model/judge/baseline.ts';
import { hashOf } from '../os/canonical-json.ts';
import type { Audit } from './make-entry.ts';

/** What stands before the first record. */
export const GENESIS = '0'.repeat(64);

type Unlinked<R> = R extends LogRecord
  ? Omit<R, 'n' | 'time' | 'author' | 'commit' | 'prev' | 'hash'>
  : never;

/** A record as an operation knows it, before it has its place in the chain. */
export type NewRecord = Unlinked<LogRecord>;

/** The log with one more record at its end. */
export function appendRecord(log: Baseline['log'], record: NewRecord, audit: Audit): LogRecord[] {
  const last = log.at(-1);
  const linked = {
    ...record,
    n: (last?.n ?? 0) + 1,
    time: audit.time.toISOString(),
    author: audit.author,
    ...defined({ commit: audit.commit }),
    prev: last?.hash ?? GENESIS,
  };
  return [...log, { ...linked, hash: hashOf(linked) }];
}

export function recordHash(record: LogRecord): string {
  return hashOf({ ...record, hash: undefined });
}
