import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { NSYS_LAUNCHES } from '../readers/nsys.ts';
import { sqliteDriver } from '../../history/sqlite-driver.ts';
import { PawlError } from '../../model/pawl-error.ts';

const MAGIC = 'SQLite format 3\0';
const MOST_LAUNCHES = 2_000_000;
const HINT = 'nsys export --type sqlite report.nsys-rep writes one.';

export function isSqlite(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, MAGIC.length)).toString('latin1') === MAGIC;
}

/**
 * The kernel launches of an SQLite export of Nsight Systems, in the order of their starts, as JSON for its reader. From
 * a copy: the database may be a pipe, and opening one in place would read journals that lie beside it.
 */
export async function nsysKernels(bytes: Uint8Array, name: string): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'pawl-nsys-'));
  try {
    const path = join(folder, 'export.sqlite');
    await writeFile(path, bytes, { mode: 0o600 });
    return Buffer.from(JSON.stringify(readLaunches(path, name)));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Row {
  readonly name: string | null;
  readonly duration_ns: number;
  readonly gridX: number;
  readonly gridY: number;
  readonly gridZ: number;
  readonly blockX: number;
  readonly blockY: number;
  readonly blockZ: number;
}

function readLaunches(path: string, name: string): object {
  const Database = sqliteDriver();
  let database;
  try {
    database = new Database(path, { readonly: true });
    const tables = new Set(
      (
        database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all() as { name: string }[]
      ).map((table) => table.name),
    );
    if (!tables.has('CUPTI_ACTIVITY_KIND_KERNEL') || !tables.has('StringIds')) {
      throw new PawlError('bad-data', `${name} is a database without Nsight Systems kernel launches.`, HINT);
    }
    const rows = database
      .prepare(
        `SELECT StringIds.value AS name, kernels.end - kernels.start AS duration_ns,
           gridX, gridY, gridZ, blockX, blockY, blockZ
         FROM CUPTI_ACTIVITY_KIND_KERNEL AS kernels LEFT JOIN StringIds ON StringIds.id = kernels.demangledName
         ORDER BY kernels.start LIMIT ${MOST_LAUNCHES + 1}`,
      )
      .all() as Row[];
    if (rows.length > MOST_LAUNCHES) {
      throw new PawlError(
        'bad-data',
        `${name} holds more than ${MOST_LAUNCHES} launches.`,
        'Profile a smaller part.',
      );
    }
    const devices = tables.has('TARGET_INFO_GPU')
      ? (database.prepare('SELECT DISTINCT name FROM TARGET_INFO_GPU').all() as { name: unknown }[])
      : [];
    const device = devices.length === 1 ? devices[0]!.name : undefined;
    return {
      [NSYS_LAUNCHES]: rows.map((row) => ({
        name: row.name,
        duration_ns: row.duration_ns,
        grid: [row.gridX, row.gridY, row.gridZ],
        block: [row.blockX, row.blockY, row.blockZ],
      })),
      ...(typeof device === 'string' ? { device } : {}),
    };
  } catch (error) {
    if (error instanceof PawlError) throw error;
    const why = error instanceof Error ? error.message.split('\n')[0]! : String(error);
    throw new PawlError('bad-data', `${name} cannot be read as an export of Nsight Systems: ${why}.`, HINT);
  } finally {
    database?.close();
  }
}
