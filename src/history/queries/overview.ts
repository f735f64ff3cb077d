import { changePct } from '../../model/text/change-pct.ts';
import { defined } from '../../model/defined.ts';
import type { Overview } from '../../model/history/history.ts';
import { ratesOf, type Work } from '../../model/device/rates.ts';
import { DAY_MS } from '../../model/text/moment.ts';
import { type Verdict, isBad } from '../../model/judge/verdict.ts';
import type { Db } from '../database.ts';
import { bucketOf, ROLLUP_SPANS_DAYS } from '../summaries.ts';
import { worstFirst } from '../worst-first.ts';
import { iso, KEY_COLUMNS, keyOfRow, runOfRow, type KeyRow } from './rows.ts';
import { selectRuns } from './runs.ts';

const SPARK_LEVELS = 40;
const LATEST_RUNS = 20;
/**
 * Five processes that differ by 5 % leave 2.2 % of standard error: a regression of 3 %, which is the default
 * threshold, cannot be told from none.
 */
const NOISY_BETWEEN_PCT = 5;

type OverviewKey = Overview['keys'][number];

/** From summaries that are kept up to date: it reads as many rows as it shows levels, however many points there are. */
export async function overview(
  db: Db,
  { since, until }: { readonly since: Date; readonly until: Date },
): Promise<Overview> {
  const totals = await db
    .selectFrom('runs')
    .select((eb) => [
      eb.fn.countAll<number>().as('runs'),
      eb.fn.sum<number | null>('samples').as('samples'),
      eb.fn.sum<number | null>('device_s').as('device_s'),
    ])
    .where('started_ms', '>=', since.getTime())
    .where('started_ms', '<', until.getTime())
    .executeTakeFirstOrThrow();
  const latest = await db
    .selectFrom('latest')
    .innerJoin('keys', 'keys.n', 'latest.key_n')
    .innerJoin('lines', 'lines.n', 'latest.line_n')
    .leftJoin('commits', 'commits.n', 'latest.commit_n')
    .select(KEY_COLUMNS)
    .select([
      'latest.line_n as line_n',
      'latest.time_ms as time_ms',
      'level_ms',
      'low_ms',
      'high_ms',
      'between_pct',
      'verdict',
      'sha',
      'keys.work as work',
    ])
    .where('level_ms', 'is not', null)
    .where('latest.time_ms', '<', until.getTime())
    .execute();
  const levels = await levelsInWindow(db, since, until);
  const keys = latest.map((row) => overviewKey(row, levels.get(row.line_n) ?? [], since));
  const runs = await selectRuns(db)
    .where('runs.started_ms', '>=', since.getTime())
    .where('runs.started_ms', '<', until.getTime())
    .orderBy('runs.started_ms', 'desc')
    .orderBy('runs.id', 'desc')
    .limit(LATEST_RUNS)
    .execute();
  return {
    schema: 'pawl.overview/1',
    since: since.toISOString(),
    until: until.toISOString(),
    totals: {
      runs: totals.runs,
      keys: keys.length,
      samples: totals.samples ?? 0,
      device_s: totals.device_s ?? 0,
    },
    keys: keys.sort(worstFirst),
    runs: runs.map(runOfRow),
  };
}

interface LatestRow extends KeyRow {
  readonly time_ms: number;
  readonly level_ms: number | null;
  readonly low_ms: number | null;
  readonly high_ms: number | null;
  readonly between_pct: number | null;
  readonly verdict: string | null;
  readonly sha: string | null;
  readonly work: string | null;
}

function overviewKey(row: LatestRow, spark_ms: number[], since: Date): OverviewKey {
  const verdict = (row.verdict ?? undefined) as Verdict | undefined;
  const attention: OverviewKey['attention'] = [];
  if (verdict !== undefined && isBad(verdict)) attention.push(verdict);
  if ((row.between_pct ?? 0) > NOISY_BETWEEN_PCT) attention.push('noisy');
  if (row.time_ms < since.getTime()) attention.push('stale');
  return {
    key: keyOfRow(row),
    level_ms: row.level_ms!,
    ci_ms: [row.low_ms!, row.high_ms!],
    ...(row.work === null ? {} : { rates: ratesOf(JSON.parse(row.work) as Work, row.level_ms!) }),
    last_commit: row.sha ?? '',
    last_time: iso(row.time_ms),
    ...(spark_ms.length < 2 ? {} : { change_pct: changePct(spark_ms[0]!, spark_ms.at(-1)!) }),
    ...defined({ verdict }),
    spark_ms,
    attention,
  };
}

/** Oldest first, at most 40 a key. */
async function levelsInWindow(db: Db, since: Date, until: Date): Promise<Map<number, number[]>> {
  const days = (until.getTime() - since.getTime()) / DAY_MS;
  const span = ROLLUP_SPANS_DAYS.find((each) => days / each <= SPARK_LEVELS) ?? ROLLUP_SPANS_DAYS.at(-1)!;
  const rows = await db
    .selectFrom('rollups')
    .select(['line_n', 'level_ms'])
    .where('span_days', '=', span)
    .where('bucket', '>=', bucketOf(since.getTime(), span))
    .where('bucket', '<=', bucketOf(until.getTime() - 1, span))
    .where('time_ms', '>=', since.getTime())
    .where('time_ms', '<', until.getTime())
    .orderBy('bucket')
    .execute();
  const levels = new Map<number, number[]>();
  for (const { line_n, level_ms } of rows) {
    const known = levels.get(line_n);
    if (known === undefined) levels.set(line_n, [level_ms]);
    else known.push(level_ms);
  }
  for (const [key, list] of levels)
    if (list.length > SPARK_LEVELS) levels.set(key, list.slice(-SPARK_LEVELS));
  return levels;
}
