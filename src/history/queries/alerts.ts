import { sql } from 'kysely';

import type { Alert, AlertState } from '../../model/server/alert.ts';
import type { Db } from '../database.ts';
import type { AlertOutcome, NewAlert, StoredAlert } from '../history.ts';
import { inChunks } from '../in-chunks.ts';

/** Any number that nothing else locks by: "alrt" in ASCII. */
const LOCK = 0x616c_7274;

const COLUMNS = [
  'id',
  'subscription',
  'key_id',
  'commit_sha',
  'previous_sha',
  'time_ms',
  'state',
  'found_ms',
  'next_ms',
  'tries',
  'sent_ms',
  'error',
  'body',
] as const;

interface AlertRow {
  readonly id: string;
  readonly subscription: string;
  readonly key_id: string;
  readonly commit_sha: string;
  readonly previous_sha: string | null;
  readonly time_ms: number;
  readonly state: string;
  readonly found_ms: number;
  readonly next_ms: number;
  readonly tries: number;
  readonly sent_ms: number | null;
  readonly error: string | null;
  readonly body: string;
}

function alertOfRow(row: AlertRow): StoredAlert {
  return { ...row, state: row.state as AlertState, alert: JSON.parse(row.body) as Alert };
}

/** Newest first. */
export async function findAlerts(
  db: Db,
  { subscription, states, limit }: { subscription?: string; states?: readonly AlertState[]; limit?: number },
): Promise<StoredAlert[]> {
  const rows = await db
    .selectFrom('alerts')
    .select(COLUMNS)
    .$if(subscription !== undefined, (query) => query.where('subscription', '=', subscription!))
    .$if(states !== undefined, (query) => query.where('state', 'in', [...states!]))
    .$if(limit !== undefined, (query) => query.limit(limit!))
    .orderBy('found_ms', 'desc')
    .orderBy('n', 'desc')
    .execute();
  return rows.map(alertOfRow);
}

export async function alertSubscriptions(db: Db): Promise<Map<string, Date>> {
  const rows = await db.selectFrom('alert_subscriptions').selectAll().execute();
  return new Map(rows.map(({ name, since_ms }) => [name, new Date(since_ms)]));
}

/** By subscription and state. */
export async function countAlerts(
  db: Db,
): Promise<{ readonly subscription: string; readonly state: AlertState; readonly count: number }[]> {
  const rows = await db
    .selectFrom('alerts')
    .select(['subscription', 'state', (eb) => eb.fn.countAll().as('count')])
    .groupBy(['subscription', 'state'])
    .execute();
  return rows.map(({ count, state, subscription }) => ({
    subscription,
    state: state as AlertState,
    count: Number(count),
  }));
}

/** Within a transaction: of two processes that find the same change at once, the second sees that it is noted. */
export async function noteAlerts(
  db: Db,
  kind: 'sqlite' | 'postgres',
  subscription: string,
  now_ms: number,
  choose: (known: readonly StoredAlert[], isFirst: boolean) => readonly NewAlert[],
): Promise<readonly NewAlert[]> {
  if (kind === 'postgres') await sql.raw(`select pg_advisory_xact_lock(${LOCK})`).execute(db);
  const known = await findAlerts(db, { subscription });
  const looked = await db
    .selectFrom('alert_subscriptions')
    .select('name')
    .where('name', '=', subscription)
    .executeTakeFirst();
  if (looked === undefined) {
    await db.insertInto('alert_subscriptions').values({ name: subscription, since_ms: now_ms }).execute();
  }
  const fresh = choose(known, looked === undefined);
  await inChunks(fresh, COLUMNS.length, async (chunk) => {
    const rows = chunk.map(({ alert, state, key_id, commit_sha, previous_sha, time_ms }) => ({
      id: alert.id,
      subscription,
      key_id,
      commit_sha,
      previous_sha,
      time_ms,
      state,
      found_ms: now_ms,
      next_ms: now_ms,
      tries: 0,
      sent_ms: null,
      error: null,
      body: JSON.stringify(alert),
    }));
    await db
      .insertInto('alerts')
      .values(rows)
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
  });
  return fresh;
}

/**
 * The next one that is due, held for `lease_ms`: when its holder dies, the next caller after that gets it.
 * Of two who want the same one, one gets it and the other asks again.
 */
export async function claimAlert(
  db: Db,
  subscriptions: readonly string[],
  now_ms: number,
  lease_ms: number,
): Promise<StoredAlert | undefined> {
  if (subscriptions.length === 0) return undefined;
  for (;;) {
    const row = await db
      .selectFrom('alerts')
      .select(COLUMNS)
      .where('state', '=', 'waiting')
      .where('next_ms', '<=', now_ms)
      .where('subscription', 'in', [...subscriptions])
      .orderBy('next_ms')
      .orderBy('n')
      .limit(1)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const held = { next_ms: now_ms + lease_ms, tries: row.tries + 1 };
    const { numUpdatedRows } = await db
      .updateTable('alerts')
      .set(held)
      .where('id', '=', row.id)
      .where('state', '=', 'waiting')
      .where('next_ms', '=', row.next_ms)
      .where('tries', '=', row.tries)
      .executeTakeFirst();
    if (numUpdatedRows > 0n) return alertOfRow({ ...row, ...held });
  }
}

/** Only what is still held: after its lease another may have taken it up. */
export async function settleAlert(
  db: Db,
  { id, tries }: StoredAlert,
  { state, at_ms, next_ms, error }: AlertOutcome,
): Promise<void> {
  await db
    .updateTable('alerts')
    .set({
      state,
      error: error ?? null,
      next_ms: next_ms ?? at_ms,
      ...(state === 'sent' ? { sent_ms: at_ms } : {}),
    })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .where('tries', '=', tries)
    .execute();
}

/** What was given up is tried again. */
export async function retryAlerts(db: Db, subscriptions: readonly string[], now_ms: number): Promise<number> {
  if (subscriptions.length === 0) return 0;
  const { numUpdatedRows } = await db
    .updateTable('alerts')
    .set({ state: 'waiting', next_ms: now_ms, found_ms: now_ms })
    .where('state', '=', 'failed')
    .where('subscription', 'in', [...subscriptions])
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
