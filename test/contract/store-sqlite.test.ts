import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe } from 'vitest';

import { storeConformance } from './store-conformance.ts';

describe('a store in SQLite', () => {
  let folder: string;
  let stores = 0;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pawl-store-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  storeConformance(() => Promise.resolve(join(folder, `${++stores}`, 'history.db')));
});
