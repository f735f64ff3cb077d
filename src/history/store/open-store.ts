import { migrate } from '../migrations/migrate.ts';
import { openDatabase } from '../open-database.ts';
import { sqlHistory, type SqlHistory } from './sql-history.ts';
import { retryPassing, storeFailure } from '../store-failure.ts';

/** How long an opening store is waited for, and one that was there and went away. */
const OPEN_PATIENCE_MS = 10_000;

export interface OpenStoreOptions {
  readonly patience_ms?: number;
}

/** Opens the store at a path (SQLite) or a `postgres://` address, and brings its tables up to date. */
export async function openStore(store: string, options: OpenStoreOptions = {}): Promise<SqlHistory> {
  const patience_ms = options.patience_ms ?? OPEN_PATIENCE_MS;
  const opened = await openDatabase(store);
  try {
    await retryPassing(() => migrate(opened.db, opened), patience_ms);
  } catch (error) {
    await opened.db.destroy().catch(() => undefined);
    throw storeFailure(error, opened.place);
  }
  return sqlHistory(opened, patience_ms);
}
