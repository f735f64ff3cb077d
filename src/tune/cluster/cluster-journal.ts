import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { defined } from '../../model/defined.ts';
import { thisProcess } from '../../os/process-identity.ts';
import type { StudyRecord } from '../../model/tune/study-record.ts';
import type { Confirmation } from '../../model/tune/study-report.ts';
import type { StudySettings } from '../../model/tune/study-settings.ts';
import type { Trial } from '../../model/tune/study.ts';
import type { StudyDescription } from '../study/cluster-store.ts';
import { JournalLedger } from '../study/journal-ledger.ts';
import { StudyClock } from '../study/study-clock.ts';
import { readJournal, StudyJournal } from '../study/study-journal.ts';
import { studiesDirectory } from '../study/study-folders.ts';

/** A trial's copy needs no fence: the store has seen to that. */
const TOKEN = 'store#1';

/** A copy of a shared study as a study of this project, so that show, apply and reports need not know the difference. */
export class ClusterJournal {
  readonly folder: string;
  readonly #journal: StudyJournal;
  readonly #clock: StudyClock;
  /** Numbers of trials that are written down, and whether with their outcome. */
  readonly #trials = new Map<number, boolean>();
  readonly #confirmed = new Set<number>();
  readonly #records: StudyRecord[];

  private constructor(
    folder: string,
    journal: StudyJournal,
    clock: StudyClock,
    records: readonly StudyRecord[],
  ) {
    this.folder = folder;
    this.#journal = journal;
    this.#clock = clock;
    this.#records = [...records];
    for (const { number, outcome } of JournalLedger.read(records)) {
      this.#trials.set(number, outcome !== undefined);
    }
    for (const record of records) {
      if (record.type === 'confirmation') this.#confirmed.add(record.confirmation.trial);
    }
  }

  static async open(
    root: string,
    { subject, identity }: StudyDescription,
    settings: StudySettings,
    now: () => Date,
  ): Promise<ClusterJournal> {
    const folder = join(studiesDirectory(root), subject.id);
    const stored = existsSync(folder) ? await readJournal(folder) : undefined;
    const records = stored?.records ?? [];
    const clock = new StudyClock(now, records.at(-1)?.at_s ?? 0);
    const journal =
      stored === undefined
        ? StudyJournal.create(folder, clock)
        : StudyJournal.reopen(folder, clock, stored.bytes);
    if (records.length === 0) {
      journal.add({ type: 'study', schema: 'pawl.study-journal/1', subject, identity, settings });
    }
    journal.add({
      type: 'session',
      owner: await thisProcess(),
      started_at: now().toISOString(),
      settings,
    });
    return new ClusterJournal(folder, journal, clock, records);
  }

  get elapsed_s(): number {
    return this.#clock.elapsed_s;
  }

  /** Writes down what is new. */
  copy(trials: readonly Trial[]): void {
    for (const trial of trials) {
      const { number, variant, phase, worker, outcome } = trial;
      if (!this.#trials.has(number)) {
        const proposed = { number, variant, phase, ...defined({ worker }) };
        this.#journal.add({ type: 'trial', trial: proposed, token: TOKEN });
        this.#trials.set(number, false);
      }
      if (outcome === undefined || this.#trials.get(number) === true) continue;
      const { resources, build_s, measure_s, device, binary, same_binary_as } = trial;
      const said = { resources, build_s, measure_s, device, binary, same_binary_as };
      const details = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
      if (worker !== undefined) this.#journal.add({ type: 'lease', number, worker, token: TOKEN });
      this.#journal.add({ type: 'outcome', number, token: TOKEN, outcome, details });
      this.#trials.set(number, true);
    }
  }

  searched(ended_by: string): void {
    const last = this.#records.findLast((record) => record.type === 'searched');
    if (last?.ended_by === ended_by) return;
    this.#records.push(this.#journal.add({ type: 'searched', ended_by, builds_at_once: 0 }));
  }

  confirmed(confirmations: readonly Confirmation[]): void {
    for (const confirmation of confirmations) {
      if (this.#confirmed.has(confirmation.trial)) continue;
      this.#journal.add({ type: 'confirmation', confirmation });
      this.#confirmed.add(confirmation.trial);
    }
  }

  finished(result: Extract<StudyRecord, { type: 'finished' }>['result'], reason: string): void {
    this.#journal.add({ type: 'finished', result, reason });
  }

  close(): void {
    this.#journal.close();
  }
}
