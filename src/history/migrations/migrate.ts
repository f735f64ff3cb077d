import { randomUUID } from 'node:crypto';

import { sql, type Kysely } from 'kysely';

import { PawlError } from '../../model/pawl-error.ts';
import type { Db, Tables } from '../database.ts';
import type { ColumnTypes, Migration } from './migration.ts';
import { v1Facts } from './v1-facts.ts';
import { v2Summaries } from './v2-summaries.ts';
import { v3Sessions } from './v3-sessions.ts';
import { v4Standing } from './v4-standing.ts';

const MIGRATIONS: readonly Migration[] = [v1Facts, v2Summaries, v3Sessions, v4Standing];
export const STORE_VERSION = MIGRATIONS.length;

/** Any number that no other program locks by: «pawl» in ASCII. */
const LOCK = 0x7061776c;

export interface MigrateOptions {
  readonly kind: 'sqlite' | 'postgres';
  readonly place: string;
  /** Default: the newest. */
  readonly to?: number;
}

/**
 * Brings the tables to a version, up or down, in one transaction and one process at a time: SQLite's write lock and
 * PostgreSQL's advisory lock see to that. A store of a newer Pawl is left alone.
 */
export async function migrate(db: Db, { kind, place, to }: MigrateOptions): Promise<void> {
  const types: ColumnTypes =
    kind === 'sqlite' ? { number: 'integer', bytes: 'blob' } : { number: 'bigserial', bytes: 'bytea' };
  if (to === undefined && (await versionOf(db, kind)) === STORE_VERSION) return;
  await db.transaction().execute(async (transaction) => {
    if (kind === 'postgres') await sql`select pg_advisory_xact_lock(${sql.lit(LOCK)})`.execute(transaction);
    const found = await versionOf(transaction, kind);
    const goal = to ?? STORE_VERSION;
    if (found > STORE_VERSION) throw isNewer(place, found);
    if (found === 0) await createStore(transaction, kind);
    const untyped = transaction as unknown as Kysely<unknown>;
    for (const step of MIGRATIONS.slice(found, goal)) await step.up(untyped, types);
    for (const step of MIGRATIONS.slice(goal, found).reverse()) await step.down(untyped, types);
    await transaction.updateTable('store').set({ version: goal }).execute();
  });
}

/** 0: there are no tables yet. */
async function versionOf(db: Kysely<Tables>, kind: MigrateOptions['kind']): Promise<number> {
  // Not to_regclass: it asks a cache that does not yet know what another process has just made.
  const there =
    kind === 'sqlite'
      ? sql<{
          found: number;
        }>`select count(*) as found from sqlite_master where type = 'table' and name = 'store'`
      : sql<{
          found: number;
        }>`select count(*) as found from pg_tables where schemaname = 'pawl' and tablename = 'store'`;
  const { rows } = await there.execute(db);
  if (rows[0]!.found === 0) return 0;
  const { version } = await db.selectFrom('store').select('version').executeTakeFirstOrThrow();
  return version;
}

async function createStore(db: Kysely<Tables>, kind: MigrateOptions['kind']): Promise<void> {
  if (kind === 'postgres') await sql`create schema if not exists pawl`.execute(db);
  await db.schema
    .createTable('store')
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('created_ms', 'bigint', (column) => column.notNull())
    .execute();
  await db.insertInto('store').values({ version: 0, id: randomUUID(), created_ms: Date.now() }).execute();
}

function isNewer(place: string, version: number): PawlError {
  return new PawlError(
    'unavailable',
    `The store ${place} is of version ${version}, which a newer Pawl made; this one knows versions up to ${STORE_VERSION}.`,
    'Update Pawl. Nothing of the store was changed.',
  );
}
