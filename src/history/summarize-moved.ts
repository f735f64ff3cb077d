import type { Db } from './database.ts';
import { inChunks } from './in-chunks.ts';
import { bucketOf, bucketStart, latestOf, POINT_COLUMNS, ROLLUP_SPANS_DAYS } from './summaries.ts';
import { STANDING, type Standing } from './trend-standing.ts';

/** A point of a trend that is at another time now. */
export interface MovedPoint {
  readonly line_n: number;
  readonly before_ms: number;
  readonly after_ms: number;
}

/**
 * Brings the summaries up to date after points have moved. Computing all of a key's would read every point it has;
 * only what a point left and where it came to can be another. Rows are touched in the order in which new runs touch
 * them (`addToSummaries`).
 */
export async function summarizeMoved(db: Db, moved: readonly MovedPoint[]): Promise<void> {
  const keys = [...new Set(moved.map(({ line_n }) => line_n))].sort((a, b) => a - b);
  for (const line_n of keys) await summarizeLatest(db, line_n);
  for (const span_days of ROLLUP_SPANS_DAYS) {
    const touched = new Map<number, Set<number>>();
    for (const { line_n, before_ms, after_ms } of moved) {
      for (const time_ms of [before_ms, after_ms]) {
        const bucket = bucketOf(time_ms, span_days);
        const known = touched.get(bucket);
        if (known === undefined) touched.set(bucket, new Set([line_n]));
        else known.add(line_n);
      }
    }
    for (const bucket of [...touched.keys()].sort((a, b) => a - b)) {
      for (const line_n of [...touched.get(bucket)!].sort((a, b) => a - b)) {
        await summarizeBucket(db, { span_days, bucket, line_n });
      }
    }
  }
  // What was found in a trend was found in the old order.
  await inChunks(keys, 1, async (chunk) => {
    await db
      .deleteFrom('known_changes')
      .where('line_n', 'in', [...chunk])
      .execute();
  });
}

/** How many points a key has does not change by moving them. */
async function summarizeLatest(db: Db, line_n: number): Promise<void> {
  const lastOf = (standing: Standing) =>
    pointsOf(db, line_n).where('on_trend', '=', standing).limit(1).execute();
  const settled = [...(await lastOf(STANDING.verdict)), ...(await lastOf(STANDING.point))];
  const points =
    settled.length > 0
      ? settled
      : await pointsOf(db, line_n).where('on_trend', '=', STANDING.loose).where('side', '=', 0).execute();
  const summary = latestOf(points.sort((one, other) => one.n - other.n));
  if (summary === undefined) return;
  const { points: _, ...latest } = summary;
  await db.updateTable('latest').set(latest).where('line_n', '=', line_n).execute();
}

async function summarizeBucket(
  db: Db,
  place: { readonly span_days: number; readonly bucket: number; readonly line_n: number },
): Promise<void> {
  const { span_days, bucket, line_n } = place;
  const [last] = await pointsOf(db, line_n)
    .where('on_trend', '=', STANDING.point)
    .where('measurements.time_ms', '>=', bucketStart(bucket, span_days))
    .where('measurements.time_ms', '<', bucketStart(bucket + 1, span_days))
    .limit(1)
    .execute();
  await db
    .deleteFrom('rollups')
    .where('span_days', '=', span_days)
    .where('bucket', '=', bucket)
    .where('line_n', '=', line_n)
    .execute();
  if (last === undefined) return;
  const { time_ms, started_ms, level_ms } = last;
  await db
    .insertInto('rollups')
    .values({ ...place, time_ms, started_ms, level_ms: level_ms! })
    .execute();
}

/** Latest first: by the commit's time, the run's, and where those are the same, what arrived last. */
function pointsOf(db: Db, line_n: number) {
  return db
    .selectFrom('measurements')
    .innerJoin('runs', 'runs.n', 'measurements.run_n')
    .innerJoin('keys', 'keys.n', 'measurements.key_n')
    .select(['measurements.n', ...POINT_COLUMNS])
    .where('measurements.key_n', 'in', (eb) =>
      eb.selectFrom('keys').select('keys.n').where('keys.line_n', '=', line_n),
    )
    .orderBy('measurements.time_ms', 'desc')
    .orderBy('runs.started_ms', 'desc')
    .orderBy('measurements.n', 'desc');
}
