import { randomUUID } from 'node:crypto';

import { sql } from 'kysely';

import type { OpenedDatabase } from '../history/open-database.ts';
import { unpackJson } from '../history/pack-json.ts';
import { retryPassing } from '../history/store-failure.ts';
import { QUEUE_PRUNE_SCHEMA } from '../model/queue/queue-prune.ts';
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
import type { Queue } from './queue.ts';
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
export function sqlQueue(
  { db: database, kind, place }: OpenedDatabase<QueueTables>,
  { patience_ms, now_ms: clock }: SqlQueueOptions,
): Queue {
  const attempt = async <Result>(action: () => Promise<Result>): Promise<Result> => {
    try {
      return await retryPassing(action, patience_ms);
    } catch (error) {
      throw queueFailure(error, place);
    }
  };
  const timeOf = async (db: QueueDb): Promise<number> => {
    if (clock !== undefined) return clock();
    if (kind === 'sqlite') return Date.now();
    const { rows } = await sql<{
      now_ms: number;
    }>`select (extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms`.execute(db);
    return rows[0]!.now_ms;
  };
  const read = <Result>(query: (db: QueueDb) => Promise<Result>): Promise<Result> =>
    attempt(() => query(database));
  const step = <Result>(work: (step: Step) => Promise<Result>): Promise<Result> =>
    attempt(() => database.transaction().execute(async (db) => work({ db, kind, now_ms: await timeOf(db) })));

  const reap = async (): Promise<number> => {
    const late = await read(async (db) => overdue(db, await timeOf(db)));
    let lost = 0;
    // Each on its own: a step locks one submission and one tenant, so two of them never wait for each other.
    for (const lease of late) {
      if (await step((one) => loseLease(one, lease.worker, lease))) lost += 1;
    }
    return lost;
  };

  return {
    place,
    putTenant: (name, settings) => step((one) => putTenant(one, name, settings)),
    createToken: (asked) => step((one) => createToken(one, asked)),
    revokeToken: (id) => step((one) => revokeToken(one, id)),
    callerOf: (token) => read(async (db) => callerOf(db, token, await timeOf(db))),

    offer: (problems) => step((one) => offerProblems(one, problems)),
    submit: (asked) => {
      const id = randomUUID();
      return step((one) => submit(one, asked, id));
    },
    find: (id) => read((db) => findSubmission(db, id)),
    finished: (ids) =>
      read(async (db) => {
        if (ids.length === 0) return new Set();
        const rows = await db
          .selectFrom('submissions')
          .select('id')
          .where('id', 'in', [...ids])
          .where('state', 'in', ['judged', 'failed', 'cancelled'])
          .execute();
        return new Set(rows.map((row) => row.id));
      }),
    sources: (id) =>
      read(async (db) => {
        const row = await db
          .selectFrom('submissions')
          .select(['tenant', 'files'])
          .where('id', '=', id)
          .executeTakeFirst();
        if (row === undefined) return undefined;
        return { tenant: row.tenant, files: unpackJson(row.files) as Record<string, string> };
      }),
    cancel: (id) =>
      step(async ({ db, now_ms }) => {
        const { numUpdatedRows } = await db
          .updateTable('submissions')
          .set({ state: 'cancelled', finished_ms: now_ms })
          .where('id', '=', id)
          .where('state', '=', 'queued')
          .executeTakeFirst();
        return numUpdatedRows > 0n;
      }),

    join: (worker, judges) => step((one) => joinQueue(one, worker, judges)),
    leave: (worker) => step((one) => leaveQueue(one, worker)),
    async lease(asked) {
      await reap();
      for (;;) {
        const taken = await step((one) => takeLease(one, asked));
        if (taken.state === 'leased') return taken;
        if (taken.state !== 'answered') return { state: taken.state };
      }
    },
    beat: (worker, held, lease_s) => step((one) => beat(one, worker, held, lease_s)),
    answer: (worker, lease, judgement) => step((one) => answerLease(one, worker, lease, judgement)),
    fail: (worker, lease, error) => step((one) => failLease(one, worker, lease, error)),
    giveBack: (worker, lease) => step((one) => returnLease(one, worker, lease)),
    reap,

    async prune(asked) {
      const { keepVerdicts = false, isDry = false } = asked;
      const { bounds, now_ms } = await read(async (db) => {
        const now = await timeOf(db);
        return { now_ms: now, bounds: await pruneBounds(db, now, asked) };
      });
      const counts = { ...NOTHING };
      // Those that only have another's judgement first: then it is known who still needs it.
      for (const part of keepVerdicts ? [pruneSources] : [pruneAnswered, pruneJudged]) {
        for (const bound of bounds) {
          for (let after: number | undefined = 0; after !== undefined;) {
            const from: number = after;
            const done = await step((one) => part(one, { bound, after: from, isDry, bounds }));
            for (const name of PRUNE_COUNTS) counts[name] += done.counts[name] ?? 0;
            after = done.next;
          }
        }
      }
      const before_ms = cutoff_ms(now_ms, asked);
      if (!isDry) {
        if (before_ms !== undefined) await step((one) => pruneWorkers(one, before_ms));
        await read((db) => giveRoomBack(db, kind));
      }
      return {
        schema: QUEUE_PRUNE_SCHEMA,
        dry_run: isDry,
        ...(before_ms !== undefined && { finished_before: new Date(before_ms).toISOString() }),
        ...counts,
      };
    },

    status: () => read(async (db) => queueStatus(db, await timeOf(db))),
    leaderboard: (problem, device_class) => read((db) => leaderboard(db, problem, device_class)),
    close: () => database.destroy(),
  };
}
