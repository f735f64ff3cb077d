import { randomUUID } from 'node:crypto';

import type { Confirmation } from '../../model/tune/study-report.ts';
import type { Trial, TrialDetails, TrialOutcome } from '../../model/tune/study.ts';
import { variantText } from '../../model/problem/variant.ts';
import type {
  ClusterStore,
  ClusterStudy,
  KnownWorker,
  StudyDescription,
  WorkerCard,
} from './cluster-store.ts';
import { endConfirmation, readConfirmations, writeConfirmation } from './postgres-confirmations.ts';
import { CLOCK_S, changeStudy, describeStudy, endSearch, readStudyRow } from './postgres-studies.ts';
import { changedTrials, leaseOf, nextFree, stateOf } from './postgres-trials.ts';
import { joinStudy, keepLeases, leaveStudy, readWorkers } from './postgres-workers.ts';
import type { Connection, StudyDatabase } from './study-database.ts';
import type { Lease, Proposal } from './trial-ledger.ts';

/** A trial whose workers are lost this often is not given to another worker. */
const MOST_LOST = 5;

/**
 * The trials of a study in PostgreSQL: one row an attempt, each under a lease. Every change takes the lock of the
 * study's row, so changes have one order; tokens make each of them safe to repeat after a lost answer.
 */
export class PostgresLedger implements ClusterStore {
  readonly id: string;
  readonly #database: StudyDatabase;
  readonly #trials = new Map<number, Trial>();
  #revision = -1;

  constructor(database: StudyDatabase, id: string) {
    this.#database = database;
    this.id = id;
  }

  study(): Promise<ClusterStudy> {
    return readStudyRow(this.#database, this.id);
  }

  describe(description: StudyDescription): Promise<StudyDescription> {
    return describeStudy(this.#database, this.id, description);
  }

  async trials(): Promise<readonly Trial[]> {
    for (const { trial, revision } of await changedTrials(this.#database, this.id, this.#revision)) {
      this.#trials.set(trial.number, trial);
      this.#revision = Math.max(this.#revision, revision);
    }
    return [...this.#trials.values()].toSorted((one, other) => one.number - other.number);
  }

  async reclaim(worker: string, token: string = randomUUID()): Promise<Lease | undefined> {
    if (!(await this.#hasFree())) return undefined;
    return this.#change(async (client, revision) => {
      const before = await leaseOf(client, token);
      if (before !== undefined) return before;
      await client.query(
        `update pawl_study_attempts set state = 'lost', ended_at = clock_timestamp()
         where study = $1 and state = 'held' and expires_at < clock_timestamp()`,
        [this.id],
      );
      for (;;) {
        const free = await nextFree(client, this.id);
        if (free === undefined) return undefined;
        await client.query('update pawl_study_trials set revision = $3 where study = $1 and number = $2', [
          this.id,
          free.number,
          revision,
        ]);
        if (free.lost < MOST_LOST) return this.#hold(client, free.number, worker, token);
        await this.#giveUp(client, free.number);
      }
    });
  }

  propose(
    { variant, phase }: Proposal,
    worker: string,
    token: string = randomUUID(),
  ): Promise<Lease | undefined> {
    return this.#change(async (client, revision) => {
      const before = await leaseOf(client, token);
      if (before !== undefined) return before;
      const { rows } = await client.query<{ number: number }>(
        `insert into pawl_study_trials (study, number, variant_key, variant, phase, proposed_s, revision)
         select s.id, count(t.number) + 1, $2, $3, $4, ${CLOCK_S}, $5
         from pawl_studies s left join pawl_study_trials t on t.study = s.id
         where s.id = $1
         group by s.id
         having s.trials is null or count(t.number) < s.trials
         on conflict (study, variant_key) do nothing
         returning number`,
        [this.id, variantText(variant), JSON.stringify(variant), phase, revision],
      );
      const [row] = rows;
      return row === undefined ? undefined : this.#hold(client, row.number, worker, token);
    });
  }

  async renew({ token }: Lease): Promise<boolean> {
    const rows = await this.#database.query(
      `update pawl_study_attempts a
       set expires_at = clock_timestamp() + make_interval(secs => s.lease_s)
       from pawl_studies s
       where s.id = a.study and a.token = $1 and a.state = 'held'
       returning a.token`,
      [token],
    );
    return rows.length > 0;
  }

  tell({ token }: Lease, outcome: TrialOutcome, details: TrialDetails = {}): Promise<boolean> {
    return this.#change(async (client, revision) => {
      const { rows } = await client.query<{ number: number }>(
        `update pawl_study_attempts a
         set state = 'told', outcome = $3, details = $4, ended_at = clock_timestamp(), told_s = ${CLOCK_S}
         from pawl_studies s
         where s.id = $1 and a.study = $1 and a.token = $2 and a.state = 'held'
         returning a.number`,
        [this.id, token, JSON.stringify(outcome), JSON.stringify(details)],
      );
      const [row] = rows;
      // Told already under this very token: the answer to an earlier try was lost.
      if (row === undefined) return (await stateOf(client, token)) === 'told';
      await client.query('update pawl_study_trials set revision = $3 where study = $1 and number = $2', [
        this.id,
        row.number,
        revision,
      ]);
      return true;
    });
  }

  join(card: WorkerCard): Promise<void> {
    return joinStudy(this.#database, this.id, card);
  }

  beat(worker: string): Promise<void> {
    return keepLeases(this.#database, this.id, worker);
  }

  leave(worker: string, refusal?: string): Promise<void> {
    return leaveStudy(this.#database, this.id, worker, refusal);
  }

  workers(): Promise<readonly KnownWorker[]> {
    return readWorkers(this.#database, this.id);
  }

  /** Each answer of `tell` says whether it counted. */
  settled(): Promise<void> {
    return Promise.resolve();
  }

  endSearch(by: string): Promise<void> {
    return endSearch(this.#database, this.id, by);
  }

  confirmations(): Promise<readonly Confirmation[]> {
    return readConfirmations(this.#database, this.id);
  }

  confirm(confirmation: Confirmation): Promise<void> {
    return writeConfirmation(this.#database, this.id, confirmation);
  }

  endConfirmation(): Promise<void> {
    return endConfirmation(this.#database, this.id);
  }

  close(): Promise<void> {
    return this.#database.close();
  }

  #change<Result>(work: (client: Connection, revision: number) => Promise<Result>): Promise<Result> {
    return this.#database.transaction(async (client) => work(client, await changeStudy(client, this.id)));
  }

  /** Without the lock: most of the time there is nothing to take over. */
  async #hasFree(): Promise<boolean> {
    const rows = await this.#database.query(
      `select 1 from pawl_study_trials t
       where t.study = $1 and not exists (
         select 1 from pawl_study_attempts a
         where a.study = t.study and a.number = t.number
           and (a.state = 'told' or (a.state = 'held' and a.expires_at >= clock_timestamp())))
       limit 1`,
      [this.id],
    );
    return rows.length > 0;
  }

  async #hold(client: Connection, number: number, worker: string, token: string): Promise<Lease> {
    await client.query(
      `insert into pawl_study_attempts (token, study, number, worker, state, expires_at)
       select $2, s.id, $3, $4, 'held', clock_timestamp() + make_interval(secs => s.lease_s)
       from pawl_studies s where s.id = $1`,
      [this.id, token, number, worker],
    );
    return (await leaseOf(client, token))!;
  }

  async #giveUp(client: Connection, number: number): Promise<void> {
    const outcome: TrialOutcome = {
      status: 'rejected',
      gate: 'run',
      reason: 'run_failed',
      message: `${MOST_LOST} workers were lost while they had this variant`,
    };
    await client.query(
      `insert into pawl_study_attempts
         (token, study, number, worker, state, expires_at, ended_at, told_s, outcome, details)
       select $2, s.id, $3, 'the store', 'told', clock_timestamp(), clock_timestamp(), ${CLOCK_S}, $4, '{}'
       from pawl_studies s where s.id = $1`,
      [this.id, randomUUID(), number, JSON.stringify(outcome)],
    );
  }
}
