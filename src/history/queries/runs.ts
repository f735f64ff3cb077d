import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';

import type { HistoryRun } from '../../model/history/history.ts';
import type { Db, Tables } from '../database.ts';
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
  const rows = await matchingRuns(db, filter, keys, await searchedWords(db, filter))
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
  const { count } = await matchingRuns(db, filter, keys, await searchedWords(db, filter))
    .clearSelect()
    .select((eb) => eb.fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

function matchingRuns(
  db: Db,
  filter: RunFilter,
  keys: readonly number[] | undefined,
  words: readonly SearchedWord[],
) {
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
    .$if(words.length > 0, (query) => query.where((eb) => eb.and(words.map((word) => hasWord(eb, db, word)))))
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

/** More than anybody types; each is a pass over the runs. */
const MOST_WORDS = 8;

interface SearchedWord {
  readonly pattern: string;
  /** The beginning of a hash that it may be. */
  readonly hash: string | undefined;
  /** The pull request that it may be. */
  readonly number: number | undefined;
  /** Kernels or cases have it: else no measurement has to be looked at. */
  readonly isOfKeys: boolean;
}

async function searchedWords(db: Db, { search = '' }: RunFilter): Promise<SearchedWord[]> {
  const words = search.toLowerCase().split(/\s+/u).filter(Boolean).slice(0, MOST_WORDS);
  const found: SearchedWord[] = [];
  for (const word of words) {
    const pattern = `%${escapeLike(word)}%`;
    const key = await keysLike(db, pattern).limit(1).executeTakeFirst();
    const number = /^#?(\d{1,9})$/u.exec(word)?.[1];
    found.push({
      pattern,
      hash: /^[0-9a-f]{4,64}$/u.exec(word)?.[0],
      number: number === undefined ? undefined : Number(number),
      isOfKeys: key !== undefined,
    });
  }
  return found;
}

function keysLike(db: Pick<Db, 'selectFrom'>, pattern: string) {
  return db
    .selectFrom('keys')
    .select('keys.n')
    .where((eb) =>
      eb.or([
        eb(eb.fn<string>('lower', ['keys.kernel']), 'like', pattern),
        eb(eb.fn<string>('lower', ['keys.case_name']), 'like', pattern),
      ]),
    );
}

const SEARCHED = [
  'runs.kind',
  'runs.verdict',
  'runs.branch',
  'runs.host',
  'devices.name',
  'commits.subject',
  'commits.author',
] as const;
/** By their beginnings: digits in the middle of a hash mean nothing to anybody. */
const HASHES = ['runs.id', 'commits.sha', 'bases.sha'] as const;

type RunsExpression = ExpressionBuilder<
  Tables & { readonly bases: Tables['commits'] },
  'runs' | 'commits' | 'bases' | 'devices'
>;

/** Whether a run is known by a word, or by what begins with it or contains it. */
function hasWord(
  eb: RunsExpression,
  db: Db,
  { pattern, hash, number, isOfKeys }: SearchedWord,
): Expression<SqlBool> {
  return eb.or([
    ...SEARCHED.map((column) => eb(eb.fn<string>('lower', [column]), 'like', pattern)),
    ...(hash === undefined ? [] : HASHES.map((column) => eb(column, 'like', `${hash}%`))),
    ...(number === undefined ? [] : [eb('runs.pull_request', '=', number)]),
    ...(isOfKeys
      ? [
          eb.exists(
            eb
              .selectFrom('measurements')
              .select('measurements.n')
              .whereRef('measurements.run_n', '=', 'runs.n')
              .where('measurements.key_n', 'in', keysLike(db, pattern)),
          ),
        ]
      : []),
  ]);
}

/** Without meaning of its own in a pattern; a backslash has none in SQLite's and none is left in. */
function escapeLike(text: string): string {
  return text.replaceAll(/[\\%]/g, '_');
}
