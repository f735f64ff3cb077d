import { afterAll, beforeAll, describe } from 'vitest';

import { hasPostgres, startPostgres, type Postgres } from '../history/postgres.ts';
import { storeConformance } from './store-conformance.ts';

describe.skipIf(!(await hasPostgres()))('a store in PostgreSQL', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres?.stop());

  storeConformance(() => postgres.createDatabase());
});
