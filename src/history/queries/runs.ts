import { PawlError } from '../../model/pawl-error.ts';
import type { HistoryRun } from '../../model/history.ts';
import type { Db } from '../database.ts';
import type { Page, PageRequest, RunFilter } from '../history.ts';
import { keyNumbers } from './keys.ts';
import { RUN_COLUMNS, runOfRow } from './rows.ts';

const DEFAULT_LIMIT = 50;
const LARGEST_LIMIT = 1000;

export function selectRuns(db: Db) {
  return db
    .selectFrom('runs')
    .leftJoin('commits', 'commits.n', 'runs.commit_n')
    .leftJoin('commits as bases', 'bases.n', 'runs.base_commit_n')
    .leftJoin('devices', 'devices.n', 'runs.device_n')
    .select(RUN_COLUMNS);
}

/** Newest first. A page begins after the last run of the one before, so that new runs do not shift it. */
export async function findRuns(db: Db, filter: RunFilter, page: PageRequest): Promise<Page<HistoryRun>> {
  const keys = await keyNumbers(db, filter);
  if (keys?.length === 0) return { items: [] };
  const limit = pageLimit(page);
  const after = page.cursor === undefined ? undefined : parseCursor(page.cursor);
  const { kinds, commit, device, host, branch, verdicts, since, until } = filter;
  const rows = await selectRuns(db)
    .$if(kinds !== undefined, (query) => query.where('runs.kind', 'in', [...kinds!]))
    .$if(commit !== undefined, (query) =>
      // `g` is after every digit of a hash.
      query.where('commits.sha', '>=', commit!).where('commits.sha', '<', `${commit!}g`),
    )
    .$if(device !== undefined, (query) =>
      query.where((eb) =>
        eb(eb.fn('lower', ['devices.name']), 'like', `%${escapeLike(device!.toLowerCase())}%`),
      ),
    )
    .$if(host !== undefined, (query) => query.where('runs.host', '=', host!))
    .$if(branch !== undefined, (query) => query.where('runs.branch', '=', branch!))
    .$if(verdicts !== undefined, (query) => query.where('runs.verdict', 'in', [...verdicts!]))
    .$if(since !== undefined, (query) => query.where('runs.started_ms', '>=', since!.getTime()))
    .$if(until !== undefined, (query) => query.where('runs.started_ms', '<', until!.getTime()))
    .$if(keys !== undefined, (query) =>
      query.where((eb) =>
        eb.exists(
          eb
            .selectFrom('measurements')
            .select('measurements.n')
            .whereRef('measurements.run_n', '=', 'runs.n')
            .where('measurements.key_n', 'in', keys!),
        ),
      ),
    )
    .$if(after !== undefined, (query) =>
      query.where((eb) =>
        eb.or([
          eb('runs.started_ms', '<', after!.started_ms),
          eb.and([eb('runs.started_ms', '=', after!.started_ms), eb('runs.id', '<', after!.id)]),
        ]),
      ),
    )
    .orderBy('runs.started_ms', 'desc')
    .orderBy('runs.id', 'desc')
    .limit(limit + 1)
    .execute();
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown.map(runOfRow),
    ...(rows.length > limit && last !== undefined ? { next: makeCursor(last.started_ms, last.id) } : {}),
  };
}

/** Without meaning of its own in a pattern; a backslash has none in SQLite's and none is left in. */
function escapeLike(text: string): string {
  return text.replaceAll(/[\\%]/g, '_');
}

export function pageLimit({ limit = DEFAULT_LIMIT }: PageRequest): number {
  return Math.max(1, Math.min(LARGEST_LIMIT, Math.floor(limit)));
}

export function makeCursor(time_ms: number, id: string): string {
  return Buffer.from(`${time_ms} ${id}`).toString('base64url');
}

export function parseCursor(cursor: string): { readonly started_ms: number; readonly id: string } {
  const match = /^(-?\d{1,16}) (\S{1,200})$/.exec(Buffer.from(cursor, 'base64url').toString());
  if (match === null) {
    throw new PawlError('usage', 'The cursor is none that a page ended with.', 'Begin without one.');
  }
  return { started_ms: Number(match[1]), id: match[2]! };
}
