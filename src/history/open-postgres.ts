import { Kysely, PostgresDialect } from 'kysely';
import { types } from 'pg';

import { postgresPool } from '../os/postgres-pool.ts';

/** Counts and times in milliseconds are far below 2⁵³. */
const AS_NUMBER: ReadonlySet<number> = new Set([types.builtins.INT8, types.builtins.NUMERIC]);

/** A process that is suspended in the middle of a transaction keeps its locks: the server ends the transaction. */
const LONGEST_SILENCE = '30s';

function parserOf(type: Parameters<typeof types.getTypeParser>[0]): (text: string) => unknown {
  return AS_NUMBER.has(type) ? Number : types.getTypeParser(type);
}

export function openPostgres<Schema>(url: string, schema: string): Kysely<Schema> {
  const pool = postgresPool(url, {
    options: `-c search_path=${schema} -c idle_in_transaction_session_timeout=${LONGEST_SILENCE}`,
    max: 8,
    idleTimeoutMillis: 30_000,
    types: { getTypeParser: parserOf as typeof types.getTypeParser },
  });
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
}
