import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openDatabase } from '../../src/history/open-database.ts';
import { PostgresServer, whyNoPostgres } from '../services/postgres-server.ts';
import { storeConformance } from './store-conformance.ts';

describe.skipIf(whyNoPostgres() !== undefined)('a store in PostgreSQL', () => {
  let postgres: PostgresServer;
  beforeAll(async () => {
    postgres = await PostgresServer.start();
  });
  afterAll(() => postgres?.stop());

  storeConformance(() => postgres.createDatabase());

  // What a worker of a study does when that happened: test/tune/study/postgres-ledger.test.ts.
  it('ends the transaction of a process that is suspended in its middle', async () => {
    const { db } = await openDatabase(await postgres.createDatabase());
    const { rows } = await sql`show idle_in_transaction_session_timeout`.execute(db);
    expect(rows).toEqual([{ idle_in_transaction_session_timeout: '30s' }]);
    await db.destroy();
  });
});
