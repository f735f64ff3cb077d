/**
 * Tables that change with the versions of Pawl: histories, and the studies that workers share.
 *
 * Not Kysely's Migrator: on SQLite it uses neither a transaction nor a lock, so that a kill leaves half a version, and
 * of several processes that open a new file all but one fail; it reads all tables and columns at each opening; and the
 * versions that are out there are numbers in tables of ours, which earlier Pawls go on reading.
 */
import { PawlError } from '../model/pawl-error.ts';

export interface VersionedTables<Db> {
  /** For people: `The store pawl.db`. */
  readonly name: string;
  /** Each brings the tables from the version before it to its own, counted from 1. What was published is never edited. */
  readonly steps: readonly {
    up(db: Db): Promise<unknown>;
    down?(db: Db): Promise<unknown>;
  }[];
  /** The version that is there; 0, and room to keep it, where nothing is. */
  openVersion(db: Db): Promise<number>;
  setVersion(db: Db, version: number): Promise<unknown>;
}

/** Any number that no other program locks by: "pawl" in ASCII. */
const LOCK = 0x7061_776c;
/** Holds other processes off until the transaction ends, on PostgreSQL. */
export const LOCK_TABLES = `select pg_advisory_xact_lock(${LOCK})`;

/**
 * Brings the tables to a version, up or down; the newest unless said. The caller has begun a transaction and holds the
 * others off. Tables of a newer Pawl are left alone.
 */
export async function migrateTables<Db>(
  db: Db,
  tables: VersionedTables<Db>,
  to: number = tables.steps.length,
): Promise<void> {
  const { name, steps } = tables;
  const found = await tables.openVersion(db);
  if (found > steps.length) {
    throw new PawlError(
      'unavailable',
      `${name} has version ${found}, written by a newer Pawl; this one supports versions up to ${steps.length}.`,
      'Update Pawl. The store was not changed.',
    );
  }
  if (found === to) return;
  for (const step of steps.slice(found, to)) await step.up(db);
  for (const step of steps.slice(to, found).reverse()) await step.down?.(db);
  await tables.setVersion(db, to);
}
