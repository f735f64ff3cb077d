import type { HistoryRun } from '../../model/history.ts';
import type { Db } from '../database.ts';
import type { Page, PageRequest, RunFilter } from '../history.ts';
import { keyNumbers } from './keys.ts';
import { RUN_COLUMNS, runOfRow } from './rows.ts';
import { isAfter, pageLimit, pageOfRows } from './page-of-rows.ts';

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
  const rows = await matchingRuns(db, filter, keys)
    .where(isAfter(page, ['runs.started_ms', 'runs.id']))
    .orderBy('runs.started_ms', 'desc')
    .orderBy('runs.id', 'desc')
    .limit(limit + 1)
    .execute();
  return pageOfRows(rows, limit, ({ started_ms }) => started_ms, runOfRow);
}

/** How many there are, on all pages. */
export async function countRuns(db: Db, filter: RunFilter): Promise<number> {
  const keys = await keyNumbers(db, filter);
  if (keys?.length === 0) return 0;
  const { count } = await matchingRuns(db, filter, keys)
    .clearSelect()
    .select((eb) => eb.fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

function matchingRuns(db: Db, filter: RunFilter, keys: readonly number[] | undefined) {
  const { kinds, commit, device, host, branch, verdicts, since, until } = filter;
  return selectRuns(db)
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
    );
}

/** Without meaning of its own in a pattern; a backslash has none in SQLite's and none is left in. */
function escapeLike(text: string): string {
  return text.replaceAll(/[\\%]/g, '_');
}
