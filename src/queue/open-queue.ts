import type { Kysely } from 'kysely';

import { openDatabase } from '../history/open-database.ts';
import { retryPassing } from '../history/store-failure.ts';
import { migrateQueue, QUEUE_SCHEMA } from './migrations/migrate.ts';
import type { Queue } from './queue.ts';
import { queueFailure } from './queue-failure.ts';
import { sqlQueue, type SqlQueueOptions } from './sql-queue.ts';
import type { QueueTables } from './tables.ts';

const OPEN_PATIENCE_MS = 10_000;

/** Opens the queue at a path (SQLite) or a `postgres://` address, and brings its tables up to date. */
export async function openQueue(place: string, options: Partial<SqlQueueOptions> = {}): Promise<Queue> {
  const patience_ms = options.patience_ms ?? OPEN_PATIENCE_MS;
  const opened = await openDatabase<QueueTables>(place, QUEUE_SCHEMA);
  try {
    await retryPassing(() => migrateQueue(opened.db as unknown as Kysely<never>, opened), patience_ms);
  } catch (error) {
    await opened.db.destroy().catch(() => undefined);
    throw queueFailure(error, opened.place);
  }
  return sqlQueue(opened, { ...options, patience_ms });
}
