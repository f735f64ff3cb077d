import { randomUUID } from 'node:crypto';

import { sql, type Kysely } from 'kysely';

import type { ColumnTypes, Migration } from '../../history/migrations/migration.ts';
import { LOCK_TABLES, migrateTables, type VersionedTables } from '../../os/migrate-tables.ts';
import { v1Queue } from './v1-queue.ts';
import { v2ByJudgement } from './v2-by-judgement.ts';

/** Of PostgreSQL: a queue may share its database with a history. */
export const QUEUE_SCHEMA = 'pawl_queue';

const MIGRATIONS: readonly Migration[] = [v1Queue, v2ByJudgement];

interface VersionTable {
  queue_store: { version: number; id: string };
}
type Db = Kysely<VersionTable>;

interface Engine {
  readonly kind: 'sqlite' | 'postgres';
  readonly place: string;
}

/** Brings the tables up to date, in one transaction and one process at a time. */
export async function migrateQueue(unknown: Kysely<never>, { kind, place }: Engine): Promise<void> {
  const db = unknown as unknown as Db;
  if ((await versionOf(db, kind)) === MIGRATIONS.length) return;
  await db.transaction().execute(async (transaction) => {
    if (kind === 'postgres') await sql.raw(LOCK_TABLES).execute(transaction);
    await migrateTables(transaction as unknown as Kysely<unknown>, tablesOf(kind, place));
  });
}

function tablesOf(kind: Engine['kind'], place: string): VersionedTables<Kysely<unknown>> {
  const types: ColumnTypes =
    kind === 'sqlite' ? { number: 'integer', bytes: 'blob' } : { number: 'bigserial', bytes: 'bytea' };
  return {
    name: `The queue ${place}`,
    steps: MIGRATIONS.map((step) => ({ up: (db) => step.up(db, types), down: (db) => step.down(db, types) })),
    async openVersion(db) {
      const found = await versionOf(db as Db, kind);
      if (found === 0) await createStore(db as Db, kind);
      return found;
    },
    setVersion: (db, version) => (db as Db).updateTable('queue_store').set({ version }).execute(),
  };
}

/** 0: there are no tables yet. */
async function versionOf(db: Db, kind: Engine['kind']): Promise<number> {
  const there =
    kind === 'sqlite'
      ? sql<{ found: number }>`select count(*) as found from sqlite_master where name = 'queue_store'`
      : sql<{
          found: number;
        }>`select count(*) as found from pg_tables where schemaname = ${QUEUE_SCHEMA} and tablename = 'queue_store'`;
  const { rows } = await there.execute(db);
  if (rows[0]!.found === 0) return 0;
  const { version } = await db.selectFrom('queue_store').select('version').executeTakeFirstOrThrow();
  return version;
}

async function createStore(db: Db, kind: Engine['kind']): Promise<void> {
  if (kind === 'postgres') await sql`create schema if not exists ${sql.id(QUEUE_SCHEMA)}`.execute(db);
  await db.schema
    .createTable('queue_store')
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .execute();
  await db.insertInto('queue_store').values({ version: 0, id: randomUUID() }).execute();
}
