import type { ClusterStore } from './cluster-store.ts';
import { FilesStore } from './files-store.ts';
import { PostgresLedger } from './postgres-ledger.ts';
import { StudyDatabase, type DatabaseOptions } from './study-database.ts';
import { prepareTables } from './study-tables.ts';

/** Where a worker finds its study: a database, or a folder behind which somebody holds one. */
export type StorePlace = { readonly url: string } | { readonly folder: string };

/** A restart of the database takes seconds, its upgrade minutes. */
const PATIENCE_S = 600;

export async function openDatabase(url: string, options?: DatabaseOptions): Promise<StudyDatabase> {
  const database = await StudyDatabase.open(url, options ?? { patience_s: PATIENCE_S });
  try {
    await prepareTables(database);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

export async function openStore(
  place: StorePlace,
  id: string,
  { patience_s }: { readonly patience_s?: number } = {},
): Promise<ClusterStore> {
  if ('folder' in place) return new FilesStore(place.folder, { patience_s: patience_s ?? PATIENCE_S });
  return new PostgresLedger(await openDatabase(place.url, { patience_s: patience_s ?? PATIENCE_S }), id);
}
