import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe } from 'vitest';

import { queueConformance } from './queue-conformance.ts';

describe('a queue in SQLite', () => {
  let folder: string;
  let queues = 0;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pawl-queue-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  queueConformance(() => Promise.resolve(join(folder, `${++queues}`, 'queue.db')));
});
