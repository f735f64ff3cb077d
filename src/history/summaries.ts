import { sql } from 'kysely';

import { DAY_MS } from '../model/text/moment.ts';
import { inChunks } from './in-chunks.ts';
import type { Db } from './database.ts';
import { STANDING } from './trend-standing.ts';

/** A point as the measurements table has it. */
interface PointRow {
  readonly line_n: number;
  readonly key_n: number;
  readonly time_ms: number;
  readonly commit_n: number | null;
  readonly on_trend: number;
  readonly level_ms: number | null;
  readonly low_ms: number | null;
  readonly high_ms: number | null;
  readonly between_pct: number | null;
  readonly verdict: string | null;
}

type SummaryPoint = PointRow & { readonly started_ms: number };

/** So that a picture of at most 40 levels can be drawn of 40 days as well as of ten years. */
export const ROLLUP_SPANS_DAYS = [1, 5, 20, 100] as const;

export function bucketOf(time_ms: number, span_days: number): number {
  return Math.floor(time_ms / (span_days * DAY_MS));
}

export function bucketStart(bucket: number, span_days: number): number {
  return bucket * span_days * DAY_MS;
}

/**
 * Adds the points of one new run. The later point wins whatever the order of arrival, by the commit's time and then
 * the run's, so stores that got the same runs in another order say the same. Rows are touched in the order of their
 * trends: two writers then wait for each other and never block each other.
 */
export function addToSummaries(db: Db, rows: readonly PointRow[], started_ms: number): Promise<void> {
  return addPoints(
    db,
    rows.map((row) => Object.assign({ started_ms }, row)),
  );
}

async function addPoints(db: Db, points: readonly SummaryPoint[]): Promise<void> {
  const byLine = new Map<number, SummaryPoint[]>();
  for (const point of points) {
    const known = byLine.get(point.line_n);
    if (known === undefined) byLine.set(point.line_n, [point]);
    else known.push(point);
  }
  const lines = [...byLine.keys()].sort((a, b) => a - b);
  const latest = lines.flatMap((line) => latestOf(byLine.get(line)!) ?? []);
  await inChunks(latest, 12, async (rows) => {
    // A wrong result has no level: the last one that was measured stays, under the new verdict.
    await db
      .insertInto('latest')
      .values([...rows])
      .onConflict((conflict) =>
        conflict.column('line_n').doUpdateSet((eb) => {
          const isLater = sql<boolean>`(excluded.settled, excluded.time_ms, excluded.started_ms) >= (latest.settled, latest.time_ms, latest.started_ms)`;
          const later = <Value>(name: string) =>
            sql<Value>`case when ${isLater} then ${sql.ref(`excluded.${name}`)} else ${sql.ref(`latest.${name}`)} end`;
          const measured = <Value>(name: string) =>
            sql<Value>`case when excluded.settled > latest.settled or (excluded.settled = latest.settled and (${isLater} or latest.level_ms is null) and excluded.level_ms is not null) then ${sql.ref(`excluded.${name}`)} else ${sql.ref(`latest.${name}`)} end`;
          return {
            key_n: later<number>('key_n'),
            time_ms: later<number>('time_ms'),
            started_ms: later<number>('started_ms'),
            verdict: later<string | null>('verdict'),
            commit_n: later<number | null>('commit_n'),
            level_ms: measured<number | null>('level_ms'),
            low_ms: measured<number | null>('low_ms'),
            high_ms: measured<number | null>('high_ms'),
            between_pct: measured<number | null>('between_pct'),
            points: sql<number>`latest.points + ${eb.ref('excluded.points')}`,
            settled: later<number>('settled'),
          };
        }),
      )
      .execute();
  });
  const rollups = ROLLUP_SPANS_DAYS.flatMap((span_days) =>
    rollupsOf(
      points.filter(({ on_trend }) => on_trend === STANDING.point),
      span_days,
    ),
  );
  await inChunks(rollups, 6, async (rows) => {
    await db
      .insertInto('rollups')
      .values([...rows])
      .onConflict((conflict) =>
        conflict
          .columns(['span_days', 'bucket', 'line_n'])
          .doUpdateSet((eb) => ({
            time_ms: eb.ref('excluded.time_ms'),
            started_ms: eb.ref('excluded.started_ms'),
            level_ms: eb.ref('excluded.level_ms'),
          }))
          .where(
            sql<boolean>`(excluded.time_ms, excluded.started_ms) >= (rollups.time_ms, rollups.started_ms)`,
          ),
      )
      .execute();
  });
}

function isBefore(one: SummaryPoint, other: SummaryPoint): boolean {
  return one.time_ms === other.time_ms ? one.started_ms < other.started_ms : one.time_ms < other.time_ms;
}

/**
 * By the rule of the trend: what no commit holds counts only where there is nothing else, and a session's tries not
 * at all. Undefined where nothing is left.
 */
export function latestOf(all: readonly SummaryPoint[]) {
  const settled = all.filter(({ on_trend }) => on_trend === STANDING.point || on_trend === STANDING.verdict);
  const points = settled.length > 0 ? settled : all.filter(({ on_trend }) => on_trend === STANDING.loose);
  const last = latest(points);
  if (last === undefined) return undefined;
  // The time of a wrong result is not a level.
  const levels = points.filter(
    ({ on_trend, level_ms }) => on_trend !== STANDING.verdict && level_ms !== null,
  );
  const measured = latest(levels);
  return {
    line_n: last.line_n,
    key_n: last.key_n,
    time_ms: last.time_ms,
    started_ms: last.started_ms,
    commit_n: last.commit_n,
    level_ms: measured?.level_ms ?? null,
    low_ms: measured?.low_ms ?? null,
    high_ms: measured?.high_ms ?? null,
    between_pct: measured?.between_pct ?? null,
    verdict: last.verdict,
    points: points.filter(({ on_trend }) => on_trend === STANDING.point).length,
    settled: settled.length > 0 ? 1 : 0,
  };
}

/** Of those at the same time, the one that arrived last. */
function latest(points: readonly SummaryPoint[]): SummaryPoint | undefined {
  let last = points[0];
  for (const point of points) if (!isBefore(point, last!)) last = point;
  return last;
}

function rollupsOf(points: readonly SummaryPoint[], span_days: number) {
  const last = new Map<string, SummaryPoint & { readonly bucket: number }>();
  for (const point of points) {
    const bucket = bucketOf(point.time_ms, span_days);
    const name = `${bucket} ${point.line_n}`;
    const known = last.get(name);
    if (known === undefined || !isBefore(point, known)) last.set(name, { ...point, bucket });
  }
  return [...last.values()]
    .sort((a, b) => a.bucket - b.bucket || a.line_n - b.line_n)
    .map(({ bucket, line_n, time_ms, started_ms, level_ms }) => ({
      span_days,
      bucket,
      line_n,
      time_ms,
      started_ms,
      level_ms: level_ms!,
    }));
}

/** What a summary is made of, of a measurement and its run. */
export const POINT_COLUMNS = [
  'keys.line_n',
  'measurements.key_n',
  'measurements.time_ms',
  'runs.started_ms',
  'measurements.commit_n',
  'measurements.on_trend',
  'measurements.level_ms',
  'measurements.low_ms',
  'measurements.high_ms',
  'measurements.between_pct',
  'measurements.verdict',
] as const;

/** Computes the summaries of all trends from the facts, where there are none yet. */
export async function summarizeAll(db: Db): Promise<void> {
  const lines = await db.selectFrom('lines').select('n').orderBy('n').execute();
  for (const { n: line_n } of lines) {
    const points = await db
      .selectFrom('measurements')
      .innerJoin('runs', 'runs.n', 'measurements.run_n')
      .innerJoin('keys', 'keys.n', 'measurements.key_n')
      .select(POINT_COLUMNS)
      .where('measurements.key_n', 'in', (eb) =>
        eb.selectFrom('keys').select('keys.n').where('keys.line_n', '=', line_n),
      )
      .where('measurements.side', '=', 0)
      .execute();
    if (points.length > 0) await addPoints(db, points);
  }
}
