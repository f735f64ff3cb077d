import { sql } from 'kysely';

import { packJson, unpackJson } from '../history/pack-json.ts';
import type { Judgement } from '../model/queue/judgement.ts';
import type { PruneAsked, QueuePruned } from '../model/queue/queue-prune.ts';
import type { QueueDb, Step } from './tables.ts';

/** Submissions in one transaction: short enough that workers and clients do not notice. */
const BATCH = 200;
/** Nothing is done to these any more. */
const FINISHED = ['judged', 'failed', 'cancelled'] as const;
/** What stands for sources that were removed: every candidate has a file. */
const NO_FILES = packJson({});

/** Of a tenant, what is gone up to here: in the order of `finished_ms`, then `n`. */
export interface Bound {
  readonly tenant: string;
  readonly finished_ms: number;
  readonly n: number;
}

export type PruneCounts = Omit<QueuePruned, 'schema' | 'dry_run' | 'finished_before'>;

export const NOTHING: PruneCounts = {
  submissions: 0,
  judgements: 0,
  sources: 0,
  sources_bytes: 0,
  logs: 0,
  kept_for_others: 0,
};

/** Up to where each tenant's finished submissions go; tenants of which nothing goes are left out. */
export async function pruneBounds(db: QueueDb, now_ms: number, asked: PruneAsked): Promise<Bound[]> {
  const tenants = await db.selectFrom('tenants').select('name').orderBy('name').execute();
  const bounds: Bound[] = [];
  for (const { name: tenant } of tenants) {
    const newest = await db
      .selectFrom('submissions')
      .select(['finished_ms', 'n'])
      .where('tenant', '=', tenant)
      .where('state', 'in', FINISHED)
      .$if(asked.older_than_s !== undefined, (query) =>
        query.where('finished_ms', '<', cutoff_ms(now_ms, asked)!),
      )
      .orderBy('finished_ms', 'desc')
      .orderBy('n', 'desc')
      .limit(1)
      .executeTakeFirst();
    const beyond =
      asked.keep === undefined
        ? newest
        : await db
            .selectFrom('submissions')
            .select(['finished_ms', 'n'])
            .where('tenant', '=', tenant)
            .where('state', 'in', FINISHED)
            .orderBy('finished_ms', 'desc')
            .orderBy('n', 'desc')
            .limit(1)
            .offset(asked.keep)
            .executeTakeFirst();
    if (newest === undefined || beyond === undefined) continue;
    // What either of the two keeps is kept.
    const first = isBefore(newest, beyond) ? newest : beyond;
    bounds.push({ tenant, finished_ms: first.finished_ms!, n: first.n });
  }
  return bounds;
}

export function cutoff_ms(now_ms: number, { older_than_s }: PruneAsked): number | undefined {
  return older_than_s === undefined ? undefined : now_ms - Math.round(1000 * older_than_s);
}

type Place = { readonly finished_ms: number | null; readonly n: number };

function isBefore(one: Place, other: Place): boolean {
  return one.finished_ms! < other.finished_ms! || (one.finished_ms === other.finished_ms && one.n < other.n);
}

function covers(bound: Bound, { finished_ms, n, state }: Place & { readonly state: string }): boolean {
  const isFinished = FINISHED.some((one) => one === state);
  return isFinished && (isBefore({ finished_ms, n }, bound) || n === bound.n);
}

/** What is asked of each step. */
export interface PruneStep {
  readonly bound: Bound;
  /** Submissions with a greater number. */
  readonly after: number;
  readonly isDry: boolean;
  /** Of all tenants. */
  readonly bounds: readonly Bound[];
}

/** What a step did, and where the next one goes on; `next` is absent after the last. */
interface Done {
  readonly counts: Partial<PruneCounts>;
  readonly next?: number;
}

function withinBound(db: QueueDb | Step['db'], { tenant, finished_ms, n }: Bound, after: number) {
  return db
    .selectFrom('submissions as s')
    .where('s.tenant', '=', tenant)
    .where('s.state', 'in', FINISHED)
    .where('s.n', '>', after)
    .where((eb) =>
      eb.or([
        eb('s.finished_ms', '<', finished_ms),
        eb.and([eb('s.finished_ms', '=', finished_ms), eb('s.n', '<=', n)]),
      ]),
    )
    .orderBy('s.n')
    .limit(BATCH);
}

/** Submissions that have no judgement of their own: an error, or the judgement of the same sources before them. */
export async function pruneAnswered(step: Step, { bound, after, isDry }: PruneStep): Promise<Done> {
  const { db } = step;
  const rows = await withinBound(db, bound, after)
    .leftJoin('judgements as j', 'j.submission_n', 's.n')
    .select(['s.n', 's.bytes'])
    .where('j.n', 'is', null)
    .execute();
  if (!isDry) await removeSubmissions(step, rows);
  return { counts: { submissions: rows.length, ...sourcesOf(rows) }, ...nextOf(rows) };
}

/**
 * Submissions with a judgement of their own, which goes with them unless a submission that stays has it for its answer:
 * then only the sources go. A caller that is about to use it as an answer holds a lock on it, and it is passed over.
 */
export async function pruneJudged(step: Step, { bound, after, isDry, bounds }: PruneStep): Promise<Done> {
  const { db, kind } = step;
  const found = withinBound(db, bound, after)
    .innerJoin('judgements as j', 'j.submission_n', 's.n')
    .select(['s.n', 's.bytes', 'j.n as judgement_n']);
  const locking = kind === 'postgres' && !isDry;
  const rows = await (locking ? found.forUpdate('j').skipLocked() : found).execute();
  if (rows.length === 0) return { counts: {} };
  const users = await db
    .selectFrom('submissions')
    .select(['n', 'judgement_n', 'tenant', 'finished_ms', 'state'])
    .where(
      'judgement_n',
      'in',
      rows.map((row) => row.judgement_n),
    )
    .execute();
  const own = new Set(rows.map((row) => row.n));
  const used = new Set(
    users
      .filter(({ n }) => !own.has(n))
      // Those that would be gone by now.
      .filter((user) => !isDry || !bounds.some((one) => one.tenant === user.tenant && covers(one, user)))
      .map((user) => user.judgement_n),
  );
  const going = rows.filter((row) => !used.has(row.judgement_n));
  const staying = rows.filter((row) => used.has(row.judgement_n));
  const emptied = staying.filter(({ bytes }) => bytes > 0);
  if (!isDry && going.length > 0) {
    const numbers = going.map((row) => row.judgement_n);
    await db.deleteFrom('judgements').where('n', 'in', numbers).execute();
    await removeSubmissions(step, going);
  }
  if (!isDry) await removeSources(step, emptied);
  return {
    counts: {
      submissions: going.length,
      judgements: going.length,
      kept_for_others: staying.length,
      ...sourcesOf([...going, ...emptied]),
    },
    ...nextOf(rows),
  };
}

/** Sources, and what compilers and candidates printed; submissions and verdicts stay. */
export async function pruneSources(step: Step, { bound, after, isDry }: PruneStep): Promise<Done> {
  const { db } = step;
  const rows = await withinBound(db, bound, after)
    .leftJoin('judgements as j', 'j.submission_n', 's.n')
    .select(['s.n', 's.bytes', 'j.n as judgement_n', 'j.document'])
    .where('s.bytes', '>', 0)
    .execute();
  let logs = 0;
  for (const { judgement_n, document } of rows) {
    if (judgement_n === null || document === null) continue;
    const { build_log, output, ...rest } = unpackJson(document) as Judgement;
    if (build_log === undefined && output === undefined) continue;
    logs += 1;
    if (isDry) continue;
    await db
      .updateTable('judgements')
      .set({ document: packJson(rest) })
      .where('n', '=', judgement_n)
      .execute();
  }
  if (!isDry) await removeSources(step, rows);
  return { counts: { logs, ...sourcesOf(rows) }, ...nextOf(rows) };
}

/** Workers that ended or were not heard of since. */
export async function pruneWorkers({ db }: Step, before_ms: number): Promise<void> {
  await db
    .deleteFrom('workers')
    .where('seen_ms', '<', before_ms)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('submissions as s')
            .select('s.n')
            .whereRef('s.worker', '=', 'workers.worker')
            .where('s.state', '=', 'leased'),
        ),
      ),
    )
    .execute();
}

/** SQLite gives the room back; PostgreSQL's autovacuum does it by itself. */
export async function giveRoomBack(db: QueueDb, kind: 'sqlite' | 'postgres'): Promise<void> {
  if (kind === 'sqlite') await sql`pragma incremental_vacuum`.execute(db);
}

interface Sized {
  readonly n: number;
  readonly bytes: number;
}

async function removeSubmissions({ db }: Step, rows: readonly Sized[]): Promise<void> {
  if (rows.length === 0) return;
  const numbers = rows.map(({ n }) => n);
  await db.deleteFrom('leases').where('submission_n', 'in', numbers).execute();
  await db.deleteFrom('submissions').where('n', 'in', numbers).execute();
}

async function removeSources({ db }: Step, rows: readonly Sized[]): Promise<void> {
  if (rows.length === 0) return;
  await db
    .updateTable('submissions')
    .set({ files: NO_FILES, bytes: 0 })
    .where(
      'n',
      'in',
      rows.map(({ n }) => n),
    )
    .execute();
}

function sourcesOf(rows: readonly Sized[]): Pick<PruneCounts, 'sources' | 'sources_bytes'> {
  const full = rows.filter(({ bytes }) => bytes > 0);
  return { sources: full.length, sources_bytes: full.reduce((sum, { bytes }) => sum + bytes, 0) };
}

function nextOf(rows: readonly { readonly n: number }[]): { readonly next?: number } {
  return rows.length < BATCH ? {} : { next: rows.at(-1)!.n };
}
