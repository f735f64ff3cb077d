import { sql, type Expression, type SqlBool } from 'kysely';

import { PawlError } from '../../model/pawl-error.ts';
import type { Page, PageRequest } from '../history.ts';

const DEFAULT_LIMIT = 50;
const LARGEST_LIMIT = 1000;

export function pageLimit({ limit = DEFAULT_LIMIT }: PageRequest): number {
  return Math.max(1, Math.min(LARGEST_LIMIT, Math.floor(limit)));
}

function makeCursor(time_ms: number, id: string): string {
  return Buffer.from(`${time_ms} ${id}`).toString('base64url');
}

function parseCursor(cursor: string): { readonly time_ms: number; readonly id: string } {
  const match = /^(-?\d{1,16}) (\S{1,200})$/.exec(Buffer.from(cursor, 'base64url').toString());
  if (match === null) {
    throw new PawlError('usage', 'Invalid page cursor.', 'Ask for the first page, without a cursor.');
  }
  return { time_ms: Number(match[1]), id: match[2]! };
}

/** Whether a row comes after those of the page before, newest first; of rows with the same time by their ids. */
export function isAfter(
  { cursor }: PageRequest,
  [time, id]: readonly [time: string, id: string],
): Expression<SqlBool> {
  if (cursor === undefined) return sql<SqlBool>`1 = 1`;
  const last = parseCursor(cursor);
  const [timeOf, idOf] = [sql.ref(time), sql.ref(id)];
  return sql<SqlBool>`(${timeOf} < ${last.time_ms} or (${timeOf} = ${last.time_ms} and ${idOf} < ${last.id}))`;
}

/** Of one row more than a page has: where there is one, the page names the next. */
export function pageOfRows<Row extends { readonly id: string }, Item>(
  rows: readonly Row[],
  limit: number,
  timeOf: (row: Row) => number,
  itemOf: (row: Row) => Item,
): Page<Item> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown.map(itemOf),
    ...(rows.length > limit && last !== undefined ? { next: makeCursor(timeOf(last), last.id) } : {}),
  };
}
