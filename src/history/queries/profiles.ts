import { defined } from '../../model/defined.ts';
import type { ProfileSummary, StoredProfile } from '../../model/history/history-api.ts';
import type { ProfileReport } from '../../model/profile/profile-report.ts';
import { hashOf } from '../../os/canonical-json.ts';
import type { Db } from '../database.ts';
import type { KeyFilter, Page, PageRequest } from '../history.ts';
import { packJson, unpackJson } from '../pack-json.ts';
import { iso } from './rows.ts';
import { isAfter, pageLimit, pageOfRows } from './page-of-rows.ts';

const COLUMNS = ['id', 'time_ms', 'kernel', 'case_name', 'mode', 'commit_sha', 'summary'] as const;

export async function putProfile(
  db: Db,
  report: ProfileReport,
  files: Readonly<Record<string, string>>,
  now: Date,
): Promise<{ readonly id: string; readonly stored: boolean }> {
  const id = hashOf({ report, files }).slice(0, 40);
  const time = report.head?.started_at ?? report.base?.started_at;
  const row = await db
    .insertInto('profiles')
    .values({
      id,
      time_ms: time === undefined ? now.getTime() : Date.parse(time),
      kernel: report.kernel,
      case_name: report.case,
      mode: report.mode,
      commit_sha: report.head?.commit ?? null,
      summary: report.summary ?? null,
      body: packJson({ report, files }),
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('n')
    .executeTakeFirst();
  return { id, stored: row !== undefined };
}

/** Newest first. */
export async function findProfiles(
  db: Db,
  { kernel, case: name, mode }: KeyFilter,
  page: PageRequest,
): Promise<Page<ProfileSummary>> {
  const limit = pageLimit(page);
  const rows = await db
    .selectFrom('profiles')
    .select(COLUMNS)
    .$if(kernel !== undefined, (query) => query.where('kernel', '=', kernel!))
    .$if(name !== undefined, (query) => query.where('case_name', '=', name!))
    .$if(mode !== undefined, (query) => query.where('mode', '=', mode!))
    .where(isAfter(page, ['time_ms', 'id']))
    .orderBy('time_ms', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  return pageOfRows(rows, limit, ({ time_ms }) => time_ms, summaryOf);
}

function summaryOf(row: {
  readonly id: string;
  readonly time_ms: number;
  readonly kernel: string;
  readonly case_name: string;
  readonly mode: string;
  readonly commit_sha: string | null;
  readonly summary: string | null;
}): ProfileSummary {
  const { id, time_ms, kernel, case_name, mode, commit_sha, summary } = row;
  return {
    id,
    time: iso(time_ms),
    kernel,
    case: case_name,
    mode,
    ...defined({ commit: commit_sha, summary }),
  };
}

export async function findProfile(db: Db, id: string): Promise<StoredProfile | undefined> {
  const row = await db
    .selectFrom('profiles')
    .select([...COLUMNS, 'body'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { report, files } = unpackJson(row.body) as Pick<StoredProfile, 'report' | 'files'>;
  return { ...summaryOf(row), report, files };
}
