import { randomUUID } from 'node:crypto';

import { sql } from 'kysely';

import type { OpenedDatabase } from '../history/open-database.ts';
import { unpackJson } from '../history/pack-json.ts';
import { retryPassing } from '../history/store-failure.ts';
import type { Judgement, JudgementError } from '../model/queue/judgement.ts';
import { QUEUE_PRUNE_SCHEMA, type PruneAsked, type QueuePruned } from '../model/queue/queue-prune.ts';
import type { Leaderboard, QueueStatus, Tenant } from '../model/queue/queue.ts';
import { answerLease, failLease, loseLease, overdue, returnLease } from './end-lease.ts';
import { findSubmission } from './find-submission.ts';
import { leaderboard } from './leaderboard.ts';
import {
  cutoff_ms,
  giveRoomBack,
  NOTHING,
  pruneAnswered,
  pruneBounds,
  pruneJudged,
  pruneSources,
  pruneWorkers,
  type PruneCounts,
} from './prune.ts';
import type {
  Caller,
  Found,
  LeaseAnswer,
  LeaseAsked,
  LeaseKey,
  OfferedJudge,
  Queue,
  Refusal,
  Submitted,
  SubmitAsked,
  TokenAsked,
} from './queue.ts';
import { queueFailure } from './queue-failure.ts';
import { queueStatus } from './queue-status.ts';
import { submit } from './submit.ts';
import type { QueueDb, QueueTables, Step } from './tables.ts';
import { takeLease } from './take-lease.ts';
import { putTenant } from './tenants.ts';
import { callerOf, createToken, revokeToken } from './tokens.ts';
import { beat, joinQueue, leaveQueue, offerProblems } from './workers.ts';

export interface SqlQueueOptions {
  /** How long a database that went away is waited for. */
  readonly patience_ms: number;
  /** Of tests. Default: the database's own, so that hosts need not agree on the time. */
  readonly now_ms?: (() => number) | undefined;
}

const PRUNE_COUNTS = Object.keys(NOTHING) as (keyof PruneCounts)[];

/** A queue in SQL, on either engine. */
export class SqlQueue implements Queue {
  readonly place: string;
  readonly #db: QueueDb;
  readonly #kind: 'sqlite' | 'postgres';
  readonly #options: SqlQueueOptions;

  constructor({ db, kind, place }: OpenedDatabase<QueueTables>, options: SqlQueueOptions) {
    this.#db = db;
    this.#kind = kind;
    this.place = place;
    this.#options = options;
  }

  putTenant(name: string, settings: Partial<Omit<Tenant, 'name'>>): Promise<Tenant> {
    return this.#step((step) => putTenant(step, name, settings));
  }

  createToken(asked: TokenAsked): Promise<{ readonly id: string; readonly token: string }> {
    return this.#step((step) => createToken(step, asked));
  }

  revokeToken(id: string): Promise<boolean> {
    return this.#step((step) => revokeToken(step, id));
  }

  callerOf(token: string): Promise<Caller | undefined> {
    return this.#read(async (db) => callerOf(db, token, await this.#now_ms(db)));
  }

  offer(problems: readonly string[]): Promise<void> {
    return this.#step((step) => offerProblems(step, problems));
  }

  submit(asked: SubmitAsked): Promise<Submitted | Refusal> {
    const id = randomUUID();
    return this.#step((step) => submit(step, asked, id));
  }

  find(id: string): Promise<Found | undefined> {
    return this.#read((db) => findSubmission(db, id));
  }

  finished(ids: readonly string[]): Promise<ReadonlySet<string>> {
    return this.#read(async (db) => {
      if (ids.length === 0) return new Set();
      const rows = await db
        .selectFrom('submissions')
        .select('id')
        .where('id', 'in', [...ids])
        .where('state', 'in', ['judged', 'failed', 'cancelled'])
        .execute();
      return new Set(rows.map((row) => row.id));
    });
  }

  sources(
    id: string,
  ): Promise<{ readonly tenant: string; readonly files: Record<string, string> } | undefined> {
    return this.#read(async (db) => {
      const row = await db
        .selectFrom('submissions')
        .select(['tenant', 'files'])
        .where('id', '=', id)
        .executeTakeFirst();
      if (row === undefined) return undefined;
      return { tenant: row.tenant, files: unpackJson(row.files) as Record<string, string> };
    });
  }

  cancel(id: string): Promise<boolean> {
    return this.#step(async ({ db, now_ms }) => {
      const { numUpdatedRows } = await db
        .updateTable('submissions')
        .set({ state: 'cancelled', finished_ms: now_ms })
        .where('id', '=', id)
        .where('state', '=', 'queued')
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    });
  }

  join(worker: string, judges: readonly OfferedJudge[]): Promise<void> {
    return this.#step((step) => joinQueue(step, worker, judges));
  }

  leave(worker: string): Promise<void> {
    return this.#step((step) => leaveQueue(step, worker));
  }

  async lease(asked: LeaseAsked): Promise<LeaseAnswer> {
    await this.reap();
    for (;;) {
      const taken = await this.#step((step) => takeLease(step, asked));
      if (taken.state === 'leased') return taken;
      if (taken.state !== 'answered') return { state: taken.state };
    }
  }

  beat(worker: string, held: readonly LeaseKey[], lease_s: number): Promise<ReadonlySet<string>> {
    return this.#step((step) => beat(step, worker, held, lease_s));
  }

  answer(worker: string, lease: LeaseKey, judgement: Judgement): Promise<boolean> {
    return this.#step((step) => answerLease(step, worker, lease, judgement));
  }

  fail(worker: string, lease: LeaseKey, error: JudgementError['error']): Promise<boolean> {
    return this.#step((step) => failLease(step, worker, lease, error));
  }

  giveBack(worker: string, lease: LeaseKey): Promise<boolean> {
    return this.#step((step) => returnLease(step, worker, lease));
  }

  async reap(): Promise<number> {
    const late = await this.#read(async (db) => overdue(db, await this.#now_ms(db)));
    let lost = 0;
    // Each on its own: a step locks one submission and one tenant, so two of them never wait for each other.
    for (const lease of late) {
      if (await this.#step((step) => loseLease(step, lease.worker, lease))) lost += 1;
    }
    return lost;
  }

  async prune(asked: PruneAsked): Promise<QueuePruned> {
    const { keepVerdicts = false, isDry = false } = asked;
    const { bounds, now_ms } = await this.#read(async (db) => {
      const now = await this.#now_ms(db);
      return { now_ms: now, bounds: await pruneBounds(db, now, asked) };
    });
    const counts = { ...NOTHING };
    // Those that only have another's judgement first: then it is known who still needs it.
    for (const part of keepVerdicts ? [pruneSources] : [pruneAnswered, pruneJudged]) {
      for (const bound of bounds) {
        for (let after: number | undefined = 0; after !== undefined;) {
          const from: number = after;
          const done = await this.#step((step) => part(step, { bound, after: from, isDry, bounds }));
          for (const name of PRUNE_COUNTS) counts[name] += done.counts[name] ?? 0;
          after = done.next;
        }
      }
    }
    const before_ms = cutoff_ms(now_ms, asked);
    if (!isDry) {
      if (before_ms !== undefined) await this.#step((step) => pruneWorkers(step, before_ms));
      await this.#read((db) => giveRoomBack(db, this.#kind));
    }
    return {
      schema: QUEUE_PRUNE_SCHEMA,
      dry_run: isDry,
      ...(before_ms !== undefined && { finished_before: new Date(before_ms).toISOString() }),
      ...counts,
    };
  }

  status(): Promise<QueueStatus> {
    return this.#read(async (db) => queueStatus(db, await this.#now_ms(db)));
  }

  leaderboard(problem: string, device_class: string | undefined): Promise<Leaderboard | undefined> {
    return this.#read((db) => leaderboard(db, problem, device_class));
  }

  close(): Promise<void> {
    return this.#db.destroy();
  }

  #read<Result>(query: (db: QueueDb) => Promise<Result>): Promise<Result> {
    return this.#try(() => query(this.#db));
  }

  #step<Result>(work: (step: Step) => Promise<Result>): Promise<Result> {
    return this.#try(() =>
      this.#db.transaction().execute(async (db) => {
        const now_ms = await this.#now_ms(db);
        return work({ db, kind: this.#kind, now_ms });
      }),
    );
  }

  async #now_ms(db: QueueDb): Promise<number> {
    if (this.#options.now_ms !== undefined) return this.#options.now_ms();
    if (this.#kind === 'sqlite') return Date.now();
    const { rows } = await sql<{
      now_ms: number;
    }>`select (extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms`.execute(db);
    return rows[0]!.now_ms;
  }

  async #try<Result>(action: () => Promise<Result>): Promise<Result> {
    try {
      return await retryPassing(action, this.#options.patience_ms);
    } catch (error) {
      throw queueFailure(error, this.place);
    }
  }
}
