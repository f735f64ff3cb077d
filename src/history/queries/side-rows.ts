import { sql } from 'kysely';

import { SIDES } from '../../model/history/stored-run.ts';
import type { Db } from '../database.ts';
import type { SideMeasurement } from '../history.ts';
import { lineId } from '../history-key.ts';
import { inChunks } from '../in-chunks.ts';
import { measurementId } from '../run-identity.ts';
import { STANDING } from '../trend-standing.ts';
import type { ResolvedSide } from './find-side.ts';
import { KEY_COLUMNS, keyOfRow } from './rows.ts';

const [HEAD, BASE] = [SIDES.indexOf('head'), SIDES.indexOf('base')];
/** Of a branch the newest runs are looked through: what none of them measured is not what the branch has now. */
const MOST_RUNS = 50;

/** What was measured of a side, several times of the same trend where it was. */
export async function sideRows(db: Db, side: ResolvedSide): Promise<SideMeasurement[]> {
  const all = await selectSide(db, side);
  const rows = side.keys === undefined ? all : all.filter(({ key_n }) => side.keys!.has(key_n));
  const carried = rows.filter(isCarried).map(({ run_n }) => run_n);
  const timed = await baseMeasurements(db, [...new Set(carried)]);
  return rows.map((row) => measurementOf(row, timed));
}

type Row = Awaited<ReturnType<ReturnType<typeof selectRows>['execute']>>[number];

function measurementOf(row: Row, timed: ReadonlyMap<string, string>): SideMeasurement {
  const own = measurementId(row.run, SIDES[row.side]!, row.position);
  const key = keyOfRow(row);
  const { kernel, case: name, mode, device } = key;
  return {
    id: own,
    run: row.run,
    key,
    ownVariant: key.id !== lineId({ kernel, case: name, mode, device }),
    ...(row.sha === null ? {} : { commit: row.sha }),
    time_ms: row.time_ms,
    started_ms: row.started_ms,
    ...(row.level_ms === null ? {} : { level_ms: row.level_ms }),
    ...(row.low_ms === null || row.high_ms === null ? {} : { ci_ms: [row.low_ms, row.high_ms] as const }),
    samples_of: isCarried(row) ? (timed.get(`${row.run} ${key.id}`) ?? own) : own,
    thin: row.thin,
  };
}

function isCarried(row: { readonly samples: number; readonly level_ms: number | null }): boolean {
  return row.samples === 0 && row.level_ms !== null;
}

async function selectSide(db: Db, side: ResolvedSide) {
  if (side.commit_n !== undefined) {
    // What a check measured as its base is of the commit, too; files with changes that no commit holds are not.
    return selectRows(db)
      .where('measurements.commit_n', '=', side.commit_n)
      .where((eb) =>
        eb.or([
          eb('measurements.on_trend', 'in', [STANDING.point, STANDING.verdict]),
          eb('measurements.side', '=', BASE),
        ]),
      )
      .execute();
  }
  if (side.branch !== undefined) {
    const runs = await db
      .selectFrom('runs')
      .select('n')
      .where('branch', '=', side.branch)
      .orderBy('started_ms', 'desc')
      .limit(MOST_RUNS)
      .execute();
    return selectRows(db)
      .where(
        'measurements.run_n',
        'in',
        runs.map(({ n }) => n),
      )
      .where('measurements.side', '=', HEAD)
      .where('measurements.on_trend', 'in', [STANDING.point, STANDING.verdict])
      .execute();
  }
  return newestOf(db, [...(side.keys ?? [])]);
}

/** The newest point of each key. */
async function newestOf(db: Db, keys: readonly number[]) {
  const found: Row[] = [];
  await inChunks(keys, 1, async (chunk) => {
    const newest = db
      .selectFrom('measurements')
      .select(['key_n', (eb) => eb.fn.max('time_ms').as('time_ms')])
      .where('key_n', 'in', [...chunk])
      .where('on_trend', '=', STANDING.point)
      .groupBy('key_n');
    const rows = await selectRows(db)
      .innerJoin(newest.as('newest'), (join) =>
        join
          .onRef('newest.key_n', '=', 'measurements.key_n')
          .onRef('newest.time_ms', '=', 'measurements.time_ms'),
      )
      .where('measurements.on_trend', '=', STANDING.point)
      .execute();
    found.push(...rows);
  });
  return found;
}

function selectRows(db: Db) {
  return db
    .selectFrom('measurements')
    .innerJoin('keys', 'keys.n', 'measurements.key_n')
    .innerJoin('lines', 'lines.n', 'keys.line_n')
    .innerJoin('runs', 'runs.n', 'measurements.run_n')
    .leftJoin('commits', 'commits.n', 'measurements.commit_n')
    .select(KEY_COLUMNS)
    .select([
      'measurements.key_n as key_n',
      'measurements.run_n as run_n',
      'runs.id as run',
      'runs.started_ms as started_ms',
      'runs.thin as thin',
      'commits.sha as sha',
      'measurements.side as side',
      'measurements.position as position',
      'measurements.time_ms as time_ms',
      'measurements.level_ms as level_ms',
      'measurements.low_ms as low_ms',
      'measurements.high_ms as high_ms',
      'measurements.samples as samples',
    ]);
}

/** By run and trend: what was timed as the baseline. */
async function baseMeasurements(db: Db, runs: readonly number[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  await inChunks(runs, 1, async (chunk) => {
    const rows = await db
      .selectFrom('measurements')
      .innerJoin('keys', 'keys.n', 'measurements.key_n')
      .innerJoin('lines', 'lines.n', 'keys.line_n')
      .innerJoin('runs', 'runs.n', 'measurements.run_n')
      .select(['runs.id as run', 'lines.id as line', 'measurements.position as position'])
      .where('measurements.run_n', 'in', [...chunk])
      .where('measurements.side', '=', BASE)
      .where(sql<boolean>`measurements.samples > 0`)
      .execute();
    for (const { run, line, position } of rows)
      found.set(`${run} ${line}`, measurementId(run, 'base', position));
  });
  return found;
}
