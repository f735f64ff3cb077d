import type { HistoryKey, TrendSetting } from '../../model/history/history.ts';
import type { Variant } from '../../model/problem/variant.ts';
import type { Db } from '../database.ts';
import type { KeyFilter } from '../history.ts';
import { KEY_COLUMNS, keyOfRow } from './rows.ts';

/** Trends, each with the variant and the device class of its latest point. */
export async function findKeys(db: Db, filter: KeyFilter): Promise<HistoryKey[]> {
  const rows = await selectKeys(db, filter)
    .innerJoin('lines', 'lines.n', 'keys.line_n')
    .leftJoin('latest', 'latest.line_n', 'keys.line_n')
    .select(KEY_COLUMNS)
    .select(['keys.n as n', 'latest.key_n as latest_n'])
    .orderBy('keys.kernel')
    .orderBy('keys.case_name')
    .orderBy('lines.id')
    .orderBy('keys.n')
    .execute();
  const byLine = new Map<string, HistoryKey>();
  const settled = new Set<string>();
  for (const row of rows) {
    if (settled.has(row.key_id)) continue;
    byLine.set(row.key_id, keyOfRow(row));
    if (row.n === row.latest_n) settled.add(row.key_id);
  }
  return [...byLine.values()];
}

/** The numbers of what measurements are kept under; undefined where the filter lets every one pass. */
export async function keyNumbers(db: Db, filter: KeyFilter): Promise<number[] | undefined> {
  const { kernel, case: name, mode, device_class } = filter;
  if ([kernel, name, mode, device_class].every((part) => part === undefined)) return undefined;
  const rows = await selectKeys(db, filter).select('keys.n').orderBy('keys.n').execute();
  return rows.map(({ n }) => n);
}

function selectKeys(db: Db, { kernel, case: name, mode, device_class }: KeyFilter) {
  return db
    .selectFrom('keys')
    .$if(kernel !== undefined, (query) => query.where('keys.kernel', '=', kernel!))
    .$if(name !== undefined, (query) => query.where('keys.case_name', '=', name!))
    .$if(mode !== undefined, (query) => query.where('keys.mode', '=', mode!))
    .$if(device_class !== undefined, (query) => query.where('keys.device_class', '=', device_class!));
}

export interface FoundLine {
  readonly n: number;
  readonly key: HistoryKey;
  /** What its points were measured under, by the number of their key. */
  readonly settings: ReadonlyMap<number, TrendSetting>;
}

/** By its id; or by the id of a key of before version 6, of which a trend has several: old links lead to it. */
export async function findLine(db: Db, id: string): Promise<FoundLine | undefined> {
  const line =
    (await db.selectFrom('lines').select('n').where('id', '=', id).executeTakeFirst()) ??
    (await db.selectFrom('keys').select('line_n as n').where('id', '=', id).executeTakeFirst());
  if (line === undefined) return undefined;
  const rows = await db
    .selectFrom('keys')
    .innerJoin('lines', 'lines.n', 'keys.line_n')
    .leftJoin('latest', 'latest.line_n', 'keys.line_n')
    .select(KEY_COLUMNS)
    .select(['keys.n as n', 'keys.setting as setting', 'latest.key_n as latest_n'])
    .where('keys.line_n', '=', line.n)
    .orderBy('keys.n')
    .execute();
  const shown = rows.find(({ n, latest_n }) => n === latest_n) ?? rows.at(-1);
  if (shown === undefined) return undefined;
  const settings = rows.map(({ n, variant, setting }) => {
    const under = JSON.parse(setting) as TrendSetting;
    return [n, { variant: JSON.parse(variant) as Variant, ...under }] as const;
  });
  return { n: line.n, key: keyOfRow(shown), settings: new Map(settings) };
}
