import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

import { Kysely } from 'kysely';
import type Database from 'libsql';

import { isPostgres } from '../os/postgres.ts';
import type { Tables } from './database.ts';
import { LibsqlDialect } from './libsql-dialect.ts';
import { sqliteDriver } from './sqlite-driver.ts';

export interface OpenedDatabase<Schema = Tables> {
  readonly db: Kysely<Schema>;
  readonly kind: 'sqlite' | 'postgres';
  readonly place: string;
}

/** A store's address without what must not be shown. */
export function placeOf(store: string): string {
  if (!isPostgres(store)) return store;
  try {
    const url = new URL(store);
    return `${url.protocol}//${url.host}${url.pathname}`;
  } catch {
    return 'postgres://…';
  }
}

/** @param schema of PostgreSQL: apart from the tables of other programs, and of other parts of Pawl */
export async function openDatabase<Schema = Tables>(
  store: string,
  schema = 'pawl',
): Promise<OpenedDatabase<Schema>> {
  const place = placeOf(store);
  if (isPostgres(store)) {
    // Most histories are files: those do without the driver.
    const { openPostgres } = await import('./open-postgres.ts');
    return { db: openPostgres<Schema>(store, schema), kind: 'postgres', place };
  }
  const path = resolve(store);
  const db = new Kysely<Schema>({ dialect: new LibsqlDialect(() => openSqlite(path)) });
  return { db, kind: 'sqlite', place };
}

function openSqlite(path: string): Database.Database {
  mkdirSync(dirname(path), { recursive: true });
  const db = new (sqliteDriver())(path);
  // Short: who waits for its turn to write waits in the dialect, without holding up everything else.
  db.pragma('busy_timeout = 250');
  // Takes effect in a new file only: `prune` then gives room back.
  db.pragma('auto_vacuum = incremental');
  walMode(db);
  // What was acknowledged is on the disk, not only on its way there.
  db.pragma('synchronous = full');
  db.pragma('foreign_keys = on');
  db.pragma('cache_size = -65536');
  return db;
}

/** Changing the mode of a new file needs it for oneself; a few processes may open it for the first time at once. */
function walMode(db: Database.Database): void {
  for (let attempt = 1; ; attempt++) {
    try {
      db.pragma('journal_mode = wal');
      return;
    } catch (error) {
      if (attempt === 40) throw error;
    }
  }
}
