import type { Db } from '../database.ts';
import type { KeyFilter } from '../history.ts';
import type { HistoryKey } from '../../model/history.ts';
import { KEY_COLUMNS, keyOfRow } from './rows.ts';

export async function findKeys(db: Db, filter: KeyFilter): Promise<HistoryKey[]> {
  const rows = await selectKeys(db, filter).select(KEY_COLUMNS).execute();
  return rows.map(keyOfRow);
}

/** Their numbers; undefined where the filter lets every key pass. */
export async function keyNumbers(db: Db, filter: KeyFilter): Promise<number[] | undefined> {
  const { kernel, case: name, mode, device_class } = filter;
  if ([kernel, name, mode, device_class].every((part) => part === undefined)) return undefined;
  const rows = await selectKeys(db, filter).select('keys.n').execute();
  return rows.map(({ n }) => n);
}

function selectKeys(db: Db, { kernel, case: name, mode, device_class }: KeyFilter) {
  return db
    .selectFrom('keys')
    .$if(kernel !== undefined, (query) => query.where('keys.kernel', '=', kernel!))
    .$if(name !== undefined, (query) => query.where('keys.case_name', '=', name!))
    .$if(mode !== undefined, (query) => query.where('keys.mode', '=', mode!))
    .$if(device_class !== undefined, (query) => query.where('keys.device_class', '=', device_class!))
    .orderBy('keys.kernel')
    .orderBy('keys.case_name')
    .orderBy('keys.id');
}

export async function findKey(
  db: Db,
  id: string,
): Promise<{ readonly n: number; readonly key: HistoryKey } | undefined> {
  const row = await db
    .selectFrom('keys')
    .select([...KEY_COLUMNS, 'keys.n as n'])
    .where('keys.id', '=', id)
    .executeTakeFirst();
  return row && { n: row.n, key: keyOfRow(row) };
}
