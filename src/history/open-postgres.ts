import { Kysely, PostgresDialect } from 'kysely';
import { types } from 'pg';

import { postgresPool } from '../os/postgres-pool.ts';
import type { Tables } from './database.ts';

/** Counts and times in milliseconds are far below 2⁵³. */
const AS_NUMBER: ReadonlySet<number> = new Set([types.builtins.INT8, types.builtins.NUMERIC]);

function parserOf(type: Parameters<typeof types.getTypeParser>[0]): (text: string) => unknown {
  return AS_NUMBER.has(type) ? Number : types.getTypeParser(type);
}

export function openPostgres(url: string): Kysely<Tables> {
  const pool = postgresPool(url, {
    // Apart from the tables of other programs in the same database.
    options: '-c search_path=pawl',
    max: 8,
    idleTimeoutMillis: 30_000,
    types: { getTypeParser: parserOf as typeof types.getTypeParser },
  });
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}
