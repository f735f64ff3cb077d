import { Kysely, PostgresDialect } from 'kysely';
import { Pool, types } from 'pg';

import type { Tables } from './database.ts';

/** Counts and times in milliseconds are far below 2⁵³. */
const AS_NUMBER: ReadonlySet<number> = new Set([types.builtins.INT8, types.builtins.NUMERIC]);

function parserOf(type: Parameters<typeof types.getTypeParser>[0]): (text: string) => unknown {
  return AS_NUMBER.has(type) ? Number : types.getTypeParser(type);
}

export function openPostgres(url: string): Kysely<Tables> {
  const pool = new Pool({
    connectionString: url,
    // Apart from the tables of other programs in the same database.
    options: '-c search_path=pawl',
    max: 8,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    application_name: 'pawl',
    types: { getTypeParser: parserOf as typeof types.getTypeParser },
  });
  // A connection that breaks while nobody uses it is taken out of the pool; the next query opens another.
  pool.on('error', () => undefined);
  // One that breaks between two queries of a transaction: the next query says so.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}
