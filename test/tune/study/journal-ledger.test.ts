import { appendFile, mkdtemp, readFile, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { beforeEach, describe, expect, it } from 'vitest';

import { JournalLedger } from '../../../src/tune/study/journal-ledger.ts';
import { StudyClock } from '../../../src/tune/study/study-clock.ts';
import { readJournal, StudyJournal } from '../../../src/tune/study/study-journal.ts';
import type { MeasuredOutcome } from '../../../src/model/tune/study.ts';

const OUTCOME: MeasuredOutcome = {
  status: 'measured',
  time_ms: 1,
  median_ms: 1.1,
  samples: 10,
  processes: 1,
  stopped_early: false,
};

let folder: string;
let seconds: number;
const clock = (before_s = 0) => new StudyClock(() => new Date(1000 * seconds), before_s);

beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'pawl-journal-')), 'study');
  seconds = 100;
});

/** What the next session finds. */
async function reopen(): Promise<JournalLedger> {
  const { records, bytes } = (await readJournal(folder))!;
  const journal = StudyJournal.reopen(folder, clock(records.at(-1)?.at_s), bytes);
  return new JournalLedger(journal, records);
}

describe('a ledger in a journal', () => {
  it('gives a variant to one proposer only', async () => {
    const ledger = new JournalLedger(StudyJournal.create(folder, clock()), []);
    const first = await ledger.propose({ variant: { A: 1, B: 2 }, phase: 'default' }, 'one');
    expect(first?.trial).toMatchObject({ number: 1, phase: 'default', worker: 'one' });
    expect(await ledger.propose({ variant: { B: 2, A: 1 }, phase: 'search' }, 'two')).toBeUndefined();
    expect(await ledger.trials()).toHaveLength(1);
  });

  it('takes one outcome a trial, and none from a holder that lost its lease', async () => {
    const ledger = new JournalLedger(StudyJournal.create(folder, clock()), []);
    const lease = (await ledger.propose({ variant: { A: 1 }, phase: 'search' }, 'one'))!;
    const next = await reopen();
    const taken = (await next.reclaim('two'))!;
    expect(taken.trial.number).toBe(1);
    expect(taken.token).not.toBe(lease.token);
    expect(await next.tell(lease, OUTCOME)).toBe(false);
    expect(await next.renew(lease)).toBe(false);
    expect(await next.renew(taken)).toBe(true);
    seconds = 107;
    expect(await next.tell(taken, OUTCOME, { build_s: 2, binary: 'abc/1' })).toBe(true);
    expect(await next.tell(taken, OUTCOME)).toBe(false);
    expect(await next.trials()).toEqual([
      expect.objectContaining({ outcome: OUTCOME, build_s: 2, binary: 'abc/1', told_s: 7, worker: 'two' }),
    ]);
    expect(await next.reclaim('two')).toBeUndefined();
  });

  it('hands what a session left under way to the next one, once, and keeps what was told', async () => {
    const before = new JournalLedger(StudyJournal.create(folder, clock()), []);
    for (const value of [1, 2, 3]) {
      const lease = (await before.propose({ variant: { A: value }, phase: 'search' }, 'one'))!;
      if (value === 2) await before.tell(lease, OUTCOME);
    }
    // Its own leases are no orphans.
    expect(await before.reclaim('one')).toBeUndefined();
    const after = await reopen();
    const numbers = [];
    for (let lease = await after.reclaim('two'); lease !== undefined; lease = await after.reclaim('two')) {
      numbers.push(lease.trial.number);
    }
    expect(numbers).toEqual([1, 3]);
    expect((await after.trials()).map(({ outcome }) => outcome !== undefined)).toEqual([false, true, false]);
  });

  it('loses at most the line that was being written, wherever the cut falls', async () => {
    const ledger = new JournalLedger(StudyJournal.create(folder, clock()), []);
    for (const value of [1, 2]) await ledger.propose({ variant: { A: value }, phase: 'search' }, 'one');
    const path = join(folder, 'journal.jsonl');
    const whole = await readFile(path);
    const first = whole.indexOf('\n') + 1;
    for (const length of [first, first + 1, whole.length - 2, whole.length - 1]) {
      await writeFile(path, whole);
      await truncate(path, length);
      const again = await reopen();
      expect(await again.trials()).toHaveLength(1);
      // What was cut off does not run into what comes next.
      await again.propose({ variant: { A: 3 }, phase: 'search' }, 'two');
      expect((await (await reopen()).trials()).map(({ variant }) => variant.A)).toEqual([1, 3]);
    }
  });

  it('refuses a journal with something else in the middle', async () => {
    const ledger = new JournalLedger(StudyJournal.create(folder, clock()), []);
    await ledger.propose({ variant: { A: 1 }, phase: 'search' }, 'one');
    await appendFile(join(folder, 'journal.jsonl'), '{"type":"nonsense"}\n');
    await expect(readJournal(folder)).rejects.toThrow(/Line 2 of .* is not a record of a study/);
  });

  it('counts the time of every session and none between them', async () => {
    const ledger = new JournalLedger(StudyJournal.create(folder, clock()), []);
    seconds = 110;
    await ledger.propose({ variant: { A: 1 }, phase: 'search' }, 'one');
    seconds = 500;
    const again = await reopen();
    seconds = 505;
    await again.propose({ variant: { A: 2 }, phase: 'search' }, 'two');
    expect((await again.trials()).map(({ proposed_s }) => proposed_s)).toEqual([10, 15]);
  });
});
