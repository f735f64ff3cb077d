import type { StudyRecord } from '../../model/tune/study-record.ts';
import type { Trial, TrialDetails, TrialOutcome } from '../../model/tune/study.ts';
import { variantText } from '../../model/problem/variant.ts';
import type { StudyJournal } from './study-journal.ts';
import type { Lease, Proposal, TrialLedger } from './trial-ledger.ts';

interface Entry {
  trial: Trial;
  token: string;
  /** Proposed by a run that is over, or given back: anybody may take it. */
  isFree: boolean;
}

/**
 * The trials of a study on one machine, in its journal. Runs follow each other (the device's lock sees to
 * that), so a lease lasts as long as its run: what an earlier one left under way is free.
 */
export class JournalLedger implements TrialLedger {
  readonly #journal: StudyJournal;
  readonly #entries: Entry[] = [];
  readonly #variants = new Set<string>();

  constructor(journal: StudyJournal, records: readonly StudyRecord[]) {
    this.#journal = journal;
    for (const record of records) this.#replay(record);
    for (const entry of this.#entries) entry.isFree = true;
  }

  /** The trials that a journal tells of, for those who only look. */
  static read(records: readonly StudyRecord[]): readonly Trial[] {
    const entries: Entry[] = [];
    for (const record of records) replay(entries, record);
    return entries.map(({ trial }) => trial);
  }

  trials(): Promise<readonly Trial[]> {
    return Promise.resolve(this.#entries.map(({ trial }) => trial));
  }

  reclaim(worker: string): Promise<Lease | undefined> {
    const entry = this.#entries.find(({ trial, isFree }) => isFree && trial.outcome === undefined);
    if (entry === undefined) return Promise.resolve(undefined);
    const { number } = entry.trial;
    this.#write({ type: 'lease', number, worker, token: tokenAfter(entry.token, worker, number) });
    return Promise.resolve(leaseOf(entry));
  }

  propose({ variant, phase }: Proposal, worker: string): Promise<Lease | undefined> {
    if (this.#variants.has(variantText(variant))) return Promise.resolve(undefined);
    const number = this.#entries.length + 1;
    const trial = { number, variant, phase, worker };
    this.#write({ type: 'trial', trial, token: tokenAfter(undefined, worker, number) });
    return Promise.resolve(leaseOf(this.#entries.at(-1)!));
  }

  renew(lease: Lease): Promise<boolean> {
    return Promise.resolve(this.#holds(lease));
  }

  tell(lease: Lease, outcome: TrialOutcome, details: TrialDetails = {}): Promise<boolean> {
    if (!this.#holds(lease)) return Promise.resolve(false);
    const { number } = lease.trial;
    this.#write({ type: 'outcome', number, token: lease.token, outcome, details });
    return Promise.resolve(true);
  }

  #holds({ trial, token }: Lease): boolean {
    const entry = this.#entries[trial.number - 1];
    return entry !== undefined && entry.token === token && entry.trial.outcome === undefined;
  }

  #write(record: Parameters<StudyJournal['add']>[0]): void {
    this.#replay(this.#journal.add(record));
  }

  #replay(record: StudyRecord): void {
    replay(this.#entries, record);
    if (record.type === 'trial') this.#variants.add(variantText(record.trial.variant));
  }
}

function replay(entries: Entry[], record: StudyRecord): void {
  switch (record.type) {
    case 'trial':
      entries.push({
        trial: { ...record.trial, proposed_s: record.at_s },
        token: record.token,
        isFree: false,
      });
      return;
    case 'lease': {
      const entry = entryOf(entries, record.number);
      entry.token = record.token;
      entry.isFree = false;
      entry.trial = { ...entry.trial, worker: record.worker };
      return;
    }
    case 'outcome': {
      const entry = entryOf(entries, record.number);
      const { outcome, details, at_s } = record;
      entry.trial = { ...entry.trial, ...details, told_s: at_s, outcome };
      return;
    }
    case 'study':
    case 'session':
    case 'searched':
    case 'confirmation':
    case 'finished':
  }
}

function entryOf(entries: readonly Entry[], number: number): Entry {
  const entry = entries[number - 1];
  if (entry === undefined) throw new Error(`the journal tells of trial ${number}, which was never proposed`);
  return entry;
}

function leaseOf({ trial, token }: Entry): Lease {
  return { trial, token };
}

/** Its last part counts the holders, so no two holders of a trial have the same. */
function tokenAfter(token: string | undefined, worker: string, number: number): string {
  const holders = token === undefined ? 0 : Number(token.split('#').at(-1));
  return `${worker}/${number}#${holders + 1}`;
}
