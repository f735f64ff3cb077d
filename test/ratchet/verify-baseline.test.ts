import { describe, expect, it } from 'vitest';

import type { Baseline, BaselineDocument, LogRecord } from '../../src/model/judge/baseline.ts';
import { parseBaseline } from '../../src/ratchet/parse-baseline.ts';
import { appendRecord, recordHash } from '../../src/ratchet/log.ts';
import { verifyBaseline } from '../../src/ratchet/verify-baseline.ts';
import { waive } from '../../src/ratchet/waivers.ts';
import { acceptedOf, AUDIT, textOf, twoEntries } from './accepted-of.ts';
import { addFirst, reset } from '../../src/ratchet/operations.ts';

/** Five records: two first entries, two waivers, a first entry. */
function fiveRecords() {
  const waiver = { pattern: 'attention/*', reason: 'r', expires: '2026-03-20' };
  const waived = waive(waive(twoEntries(), waiver, AUDIT), waiver, AUDIT);
  return addFirst(waived, acceptedOf(3, 3, { case: 'long_4096' }), AUDIT);
}

type Mutable = {
  -readonly [Key in keyof BaselineDocument]: BaselineDocument[Key];
};

/** What is found after somebody edited the file. */
function problemsAfter(edit: (document: Mutable) => void): string[] {
  const document = JSON.parse(textOf(fiveRecords())) as Mutable;
  edit(document);
  return verifyBaseline(JSON.stringify(document));
}

describe('verifyBaseline', () => {
  it('finds nothing in what Pawl wrote, however it is laid out', () => {
    expect(verifyBaseline(textOf(fiveRecords()))).toEqual([]);
    expect(problemsAfter(() => undefined)).toEqual([]);
  });

  it('names the entry that was edited by hand', () => {
    const problems = problemsAfter(({ entries }) => {
      entries[0]!.series[0]!.samples_ms[0]! *= 1.5;
    });
    expect(problems).toEqual([
      expect.stringMatching(/^the entry attention\/\S+ .* was edited by hand: .*record \d/),
    ]);
  });

  it('names the entry whose provenance was edited', () => {
    const problems = problemsAfter(({ entries }) => {
      entries[1]!.provenance.commit = 'other';
    });
    expect(problems[0]).toContain('was edited by hand');
  });

  it('names an entry that was added, taken out or doubled by hand', () => {
    const added = problemsAfter(({ entries }) => {
      entries.push({ ...entries[0]!, key: { ...entries[0]!.key, case: 'smuggled' } });
    });
    expect(added[0]).toMatch(/attention\/smuggled .* was added by hand/);
    expect(problemsAfter(({ entries }) => void entries.pop())[0]).toMatch(/was removed by hand/);
    expect(problemsAfter(({ entries }) => void entries.push(entries[0]!))).toContainEqual(
      expect.stringContaining('appears twice'),
    );
  });

  it('names the record that is missing', () => {
    expect(problemsAfter(({ log }) => void log.splice(3, 1))).toEqual(['record 4 of the log is missing']);
    expect(problemsAfter(({ log }) => void log.splice(2, 2))).toEqual([
      'records 3 to 4 of the log are missing',
    ]);
  });

  it('says that the log does not reach back to its beginning', () => {
    expect(problemsAfter(({ log }) => void log.splice(0, 2))).toContain(
      'the log does not reach back to its beginning: its first record is number 3',
    );
  });

  it('notices that the last record was removed, also one that has no entry', () => {
    expect(problemsAfter(({ log }) => void log.pop())[0]).toContain('was added by hand');
    const document = JSON.parse(
      textOf(waive(twoEntries(), { pattern: '*', reason: 'r', expires: '2026-03-20' }, AUDIT)),
    ) as Mutable;
    document.log.pop();
    expect(verifyBaseline(JSON.stringify(document))).toEqual([
      expect.stringContaining('do not belong together'),
    ]);
  });

  it('names the record that was edited', () => {
    const problems = problemsAfter(({ log }) => {
      (log[2] as { expires: string }).expires = '2026-03-30';
    });
    expect(problems).toEqual(['record 3 of the log (waive) was edited by hand: its hash does not match']);
  });

  it('notices a record in another’s place', () => {
    const problems = problemsAfter(({ log }) => {
      [log[2], log[3]] = [log[3]!, log[2]!];
    });
    expect(problems).toContain('record 3 of the log is missing');
    expect(problems).toContain('record 3 of the log stands after record 4');
  });

  /** A forger who computes every hash anew, but those of the records after the one that was changed. */
  function forged({ entries, log }: Baseline, at: number, change: Partial<LogRecord>): string[] {
    const record = { ...log[at]!, ...change } as LogRecord;
    const replaced = log.with(at, { ...record, hash: recordHash(record) });
    return verifyBaseline(textOf({ entries, log: replaced }));
  }

  it('notices a record that was replaced by one with a sound hash of its own', () => {
    expect(forged(fiveRecords(), 2, { reason: 'another' })).toEqual([
      'record 4 of the log does not follow record 3: one of them was replaced',
    ]);
    expect(forged(fiveRecords(), 0, { prev: 'f'.repeat(64) })).toContain(
      'the log does not reach back to its beginning: its first record follows another',
    );
  });

  it('names a waiver that lasts longer than one may, however it came into the log', () => {
    const { entries, log } = twoEntries();
    const record = { type: 'waive', pattern: '*', reason: 'r', expires: '2027-03-01', summary: 's' } as const;
    expect(verifyBaseline(textOf({ entries, log: appendRecord(log, record, AUDIT) }))).toEqual([
      'the waiver of record 3 lasts longer than 180 days',
    ]);
  });

  it('names an entry that was put back by hand after it was taken out', () => {
    const before = twoEntries();
    const { log } = reset(before, before.entries[0]!.key, 'new cooling', AUDIT);
    expect(verifyBaseline(textOf({ entries: before.entries, log }))).toEqual([
      expect.stringMatching(/was restored by hand: record 3 of the log removed it$/),
    ]);
  });

  it('notices a seal of other contents', () => {
    expect(problemsAfter((document) => (document.integrity = '0'.repeat(64)))).toEqual([
      expect.stringContaining('do not belong together'),
    ]);
  });
});

describe('the signature', () => {
  const signed = textOf(twoEntries(), 'a secret');

  it('is verified when there is a key, and only then', () => {
    expect(verifyBaseline(signed, { key: 'a secret' })).toEqual([]);
    expect(verifyBaseline(signed)).toEqual([]);
    expect(verifyBaseline(signed, { key: 'another' })).toEqual(['the signature was made with another key']);
  });

  it('cannot be left out by a forger who computes all hashes anew', () => {
    expect(verifyBaseline(textOf(twoEntries()), { key: 'a secret' })).toEqual([
      'the file is not signed, although there is a key to verify it',
    ]);
  });
});

describe('parseBaseline', () => {
  const text = textOf(twoEntries());
  const changed = (change: object) => JSON.stringify({ ...(JSON.parse(text) as object), ...change });

  it.each([
    ['a truncated file', text.slice(0, -200), /is truncated/, /git restore/],
    ['an empty file', ' \n', /is empty/, /git restore/],
    ['a merge that stopped', `<<<<<<< HEAD\n${text}`, /conflict markers/, /--theirs/],
    ['a newer schema', changed({ schema: 'pawl.baseline/2' }), /newer Pawl/, /Update Pawl/],
    ['another document', changed({ schema: 'pawl.samples/1' }), /is not a baseline/, /file name/],
    ['no document', '[1, 2]', /has no schema/, /file name/],
    [
      'a negative time',
      text.replace(/"samples_ms": \[/, '"samples_ms": [-1, '),
      /at entries\.0\.series/,
      /restore/,
    ],
    ['a key that nobody knows', changed({ note: 'hello' }), /not a valid pawl\.baseline\/1/, /restore/],
  ])('refuses %s with a remedy', (_, content, message, hint) => {
    expect(() => parseBaseline(content, 'pawl-baseline.json')).toThrow(
      expect.objectContaining({
        kind: 'bad-data',
        message: expect.stringMatching(message) as string,
        hint: expect.stringMatching(hint) as string,
      }),
    );
    expect(verifyBaseline(content)).toHaveLength(1);
  });
});
