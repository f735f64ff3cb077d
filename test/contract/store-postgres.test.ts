import { afterAll, beforeAll, describe } from 'vitest';

import { PostgresServer, whyNoPostgres } from '../services/postgres-server.ts';
import { storeConformance } from './store-conformance.ts';

describe.skipIf(whyNoPostgres() !== undefined)('a store in PostgreSQL', () => {
  let postgres: PostgresServer;
  beforeAll(async () => {
    postgres = await PostgresServer.start();
  });
  afterAll(() => postgres?.stop());

  storeConformance(() => postgres.createDatabase());
});
