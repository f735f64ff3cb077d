import { randomUUID } from 'node:crypto';

import { sql, type Kysely } from 'kysely';

import { LOCK_TABLES, migrateTables, type VersionedTables } from '../../os/migrate-tables.ts';
import type { Db } from '../database.ts';
import type { ColumnTypes, Migration } from './migration.ts';
import { v1Facts } from './v1-facts.ts';
import { v2Summaries } from './v2-summaries.ts';
import { v3Sessions } from './v3-sessions.ts';
import { v4Standing } from './v4-standing.ts';
import { v5Dirty } from './v5-dirty.ts';
import { v6Lines } from './v6-lines.ts';
import { v7Alerts } from './v7-alerts.ts';
import { v8Notes } from './v8-notes.ts';

const MIGRATIONS: readonly Migration[] = [
  v1Facts,
  v2Summaries,
  v3Sessions,
  v4Standing,
  v5Dirty,
  v6Lines,
  v7Alerts,
  v8Notes,
];
export const STORE_VERSION = MIGRATIONS.length;

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
  if (to === undefined && (await versionOf(db, kind)) === STORE_VERSION) return;
  await db.transaction().execute(async (transaction) => {
    if (kind === 'postgres') await sql.raw(LOCK_TABLES).execute(transaction);
    await migrateTables(transaction as unknown as Kysely<unknown>, tablesOf(kind, place), to);
  });
}

function tablesOf(kind: MigrateOptions['kind'], place: string): VersionedTables<Kysely<unknown>> {
  const types: ColumnTypes =
    kind === 'sqlite' ? { number: 'integer', bytes: 'blob' } : { number: 'bigserial', bytes: 'bytea' };
  return {
    name: `The store ${place}`,
    steps: MIGRATIONS.map((step) => ({ up: (db) => step.up(db, types), down: (db) => step.down(db, types) })),
    async openVersion(db) {
      const found = await versionOf(db as Db, kind);
      if (found === 0) await createStore(db as Db, kind);
      return found;
    },
    setVersion: (db, version) => (db as Db).updateTable('store').set({ version }).execute(),
  };
}

/** 0: there are no tables yet. */
async function versionOf(db: Db, kind: MigrateOptions['kind']): Promise<number> {
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

async function createStore(db: Db, kind: MigrateOptions['kind']): Promise<void> {
  if (kind === 'postgres') await sql`create schema if not exists pawl`.execute(db);
  await db.schema
    .createTable('store')
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('created_ms', 'bigint', (column) => column.notNull())
    .execute();
  await db.insertInto('store').values({ version: 0, id: randomUUID(), created_ms: Date.now() }).execute();
}
