import { randomUUID } from 'node:crypto';

import type { Confirmation } from '../../model/study-report.ts';
import { confirmationSchema } from '../../model/study-report.ts';
import { trialSchema, type Trial, type TrialDetails, type TrialOutcome } from '../../model/study.ts';
import { variantText } from '../../model/variant.ts';
import type {
  ClusterStore,
  ClusterStudy,
  KnownWorker,
  StudyDescription,
  WorkerCard,
} from './cluster-store.ts';
import { CLOCK_S, changeStudy, describeStudy, readStudyRow } from './postgres-studies.ts';
import type { Connection, StudyDatabase } from './study-database.ts';
import type { Lease, Proposal } from './trial-ledger.ts';

/** A trial whose workers are lost this often takes them with it: nobody else is sent to try. */
const MOST_LOST = 5;

const TRIAL_COLUMNS = `
  t.number, t.variant, t.phase, t.proposed_s, t.revision,
  a.worker, a.token, a.outcome, a.details, a.told_s`;
/** The attempt that counts: the one that told, else the one under way. */
const FROM_TRIALS = `
  from pawl_study_trials t
  left join pawl_study_attempts a on a.study = t.study and a.number = t.number and a.state in ('held', 'told')`;

interface TrialRow {
  readonly number: number;
  readonly variant: unknown;
  readonly phase: string;
  readonly proposed_s: number;
  readonly revision: number;
  readonly worker: string | null;
  readonly token: string | null;
  readonly outcome: unknown;
  readonly details: TrialDetails | null;
  readonly told_s: number | null;
}

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
    const rows = await this.#database.query<TrialRow>(
      `select ${TRIAL_COLUMNS} ${FROM_TRIALS} where t.study = $1 and t.revision > $2 order by t.number`,
      [this.id, this.#revision],
    );
    for (const row of rows) {
      this.#trials.set(row.number, trialOf(row));
      this.#revision = Math.max(this.#revision, row.revision);
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

  async join({ worker, host, device }: WorkerCard): Promise<void> {
    await this.#database.query(
      `insert into pawl_study_workers (study, worker, host, device) values ($1, $2, $3, $4)
       on conflict (study, worker) do update set device = coalesce(excluded.device, pawl_study_workers.device),
         seen_at = clock_timestamp()`,
      [this.id, worker, host, device ?? null],
    );
  }

  async beat(worker: string): Promise<void> {
    await this.#database.transaction(async (client) => {
      // In the order of every other change, so that two of them never wait for each other.
      await client.query(
        `update pawl_studies s set clock_s = ${CLOCK_S}, clock_at = clock_timestamp() where s.id = $1`,
        [this.id],
      );
      await client.query(
        `update pawl_study_attempts a
         set expires_at = clock_timestamp() + make_interval(secs => s.lease_s)
         from pawl_studies s
         where s.id = $1 and a.study = $1 and a.worker = $2 and a.state = 'held'`,
        [this.id, worker],
      );
      await client.query(
        'update pawl_study_workers set seen_at = clock_timestamp() where study = $1 and worker = $2',
        [this.id, worker],
      );
    });
  }

  async leave(worker: string, refusal?: string): Promise<void> {
    await this.#change(async (client) => {
      await client.query(
        `update pawl_study_attempts set state = 'returned', ended_at = clock_timestamp()
         where study = $1 and worker = $2 and state = 'held'`,
        [this.id, worker],
      );
      await client.query(
        `update pawl_study_workers
         set seen_at = clock_timestamp(), ended_at = clock_timestamp(), refusal = $3
         where study = $1 and worker = $2`,
        [this.id, worker, refusal ?? null],
      );
    });
  }

  async workers(): Promise<readonly KnownWorker[]> {
    const rows = await this.#database.query<{
      worker: string;
      host: string;
      device: string | null;
      is_here: boolean;
      seconds: number;
      refusal: string | null;
    }>(
      `select w.worker, w.host, w.device, w.refusal,
         w.ended_at is null and w.seen_at + make_interval(secs => s.lease_s) > clock_timestamp() as is_here,
         extract(epoch from coalesce(w.ended_at, w.seen_at) - w.began_at)::double precision as seconds
       from pawl_study_workers w join pawl_studies s on s.id = w.study
       where w.study = $1 order by w.began_at, w.worker`,
      [this.id],
    );
    return rows.map(({ worker, host, device, is_here, seconds, refusal }) => ({
      worker,
      host,
      device: device ?? undefined,
      isHere: is_here,
      seconds: Math.max(0, seconds),
      refusal: refusal ?? undefined,
    }));
  }

  async endSearch(by: string): Promise<void> {
    await this.#database.query(
      'update pawl_studies set searched_by = coalesce(searched_by, $2) where id = $1',
      [this.id, by],
    );
  }

  async confirmations(): Promise<readonly Confirmation[]> {
    const rows = await this.#database.query<{ confirmation: unknown }>(
      'select confirmation from pawl_study_confirmations where study = $1 order by number',
      [this.id],
    );
    return rows.map(({ confirmation }) => confirmationSchema.parse(confirmation));
  }

  async confirm(confirmation: Confirmation): Promise<void> {
    await this.#database.query(
      'insert into pawl_study_confirmations values ($1, $2, $3) on conflict (study, number) do nothing',
      [this.id, confirmation.trial, JSON.stringify(confirmation)],
    );
  }

  async endConfirmation(): Promise<void> {
    await this.#database.query(
      'update pawl_studies set confirmed_at = coalesce(confirmed_at, clock_timestamp()) where id = $1',
      [this.id],
    );
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

async function leaseOf(client: Connection, token: string): Promise<Lease | undefined> {
  const { rows } = await client.query<TrialRow>(`select ${TRIAL_COLUMNS} ${FROM_TRIALS} where a.token = $1`, [
    token,
  ]);
  return rows[0] === undefined ? undefined : { trial: trialOf(rows[0]), token };
}

async function stateOf(client: Connection, token: string): Promise<string | undefined> {
  const { rows } = await client.query<{ state: string }>(
    'select state from pawl_study_attempts where token = $1',
    [token],
  );
  return rows[0]?.state;
}

async function nextFree(
  client: Connection,
  study: string,
): Promise<{ readonly number: number; readonly lost: number } | undefined> {
  const { rows } = await client.query<{ number: number; lost: number }>(
    `select t.number, (count(*) filter (where a.state = 'lost'))::integer as lost
     from pawl_study_trials t join pawl_study_attempts a on a.study = t.study and a.number = t.number
     where t.study = $1
     group by t.number
     having bool_and(a.state in ('lost', 'returned'))
     order by t.number limit 1`,
    [study],
  );
  return rows[0];
}

function trialOf(row: TrialRow): Trial {
  const { number, variant, phase, proposed_s, worker, outcome, details, told_s } = row;
  return trialSchema.parse({
    number,
    variant,
    phase,
    proposed_s,
    ...(worker === null ? {} : { worker }),
    ...details,
    ...(outcome === null ? {} : { outcome, told_s: told_s ?? 0 }),
  });
}
