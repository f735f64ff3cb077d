import { afterAll, beforeAll, describe } from 'vitest';

import { PostgresServer, whyNoPostgres } from '../services/postgres-server.ts';
import { queueConformance } from './queue-conformance.ts';

describe.skipIf(whyNoPostgres() !== undefined)('a queue in PostgreSQL', () => {
  let postgres: PostgresServer;
  beforeAll(async () => {
    postgres = await PostgresServer.start();
  });
  afterAll(() => postgres?.stop());

  queueConformance(() => postgres.createDatabase());
});
