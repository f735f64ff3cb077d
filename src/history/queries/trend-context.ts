import { defined } from '../../model/defined.ts';
import type { RunDocument } from '../../model/history/history-api.ts';
import type { TrendLines } from '../../model/history/history.ts';
import { workOf } from '../../model/device/rates.ts';
import type { Db } from '../database.ts';
import type { TrendContext } from '../history.ts';
import { unpackJson } from '../pack-json.ts';
import { STANDING } from '../trend-standing.ts';
import { findLine } from './keys.ts';
import { iso } from './rows.ts';

/** The baseline as the last check had it, the floor, and the fastest other kernel of the problem. */
export async function trendContext(db: Db, keyId: string): Promise<TrendContext> {
  const line = await findLine(db, keyId);
  if (line === undefined) return { lines: {}, waived: [] };
  const keys = [...line.settings.keys()];
  const compared = await db
    .selectFrom('verdicts')
    .innerJoin('runs', 'runs.n', 'verdicts.run_n')
    .select('baseline_ms')
    .where('key_n', 'in', keys)
    .where('baseline_ms', 'is not', null)
    // The variants of a session's tries are compared with something else than the baseline.
    .where('runs.kind', '=', 'check')
    .orderBy('runs.started_ms', 'desc')
    .orderBy('runs.n', 'desc')
    .limit(1)
    .executeTakeFirst();
  const waived = await db
    .selectFrom('verdicts')
    .innerJoin('runs', 'runs.n', 'verdicts.run_n')
    .innerJoin('commits', 'commits.n', 'runs.commit_n')
    .select(['commits.sha', 'commits.time_ms', 'runs.started_ms'])
    .where('key_n', 'in', keys)
    .where('waived', '=', 1)
    .orderBy('runs.started_ms')
    .execute();
  const baseline_ms = compared?.baseline_ms ?? undefined;
  return {
    lines: { ...defined({ baseline_ms }), ...(await linesOfNewest(db, keys)) },
    // Of runs of one commit, the first.
    waived: [...new Map(waived.toReversed().map((one) => [one.sha, one])).values()]
      .toReversed()
      .map(({ sha, time_ms, started_ms }) => ({ commit: sha, time: iso(time_ms ?? started_ms) })),
  };
}

/** Only documents say what a kernel's problem is and how fast the hardware could be. */
async function linesOfNewest(db: Db, keys: readonly number[]): Promise<TrendLines> {
  const newest = await db
    .selectFrom('measurements')
    .select(['run_n', 'position'])
    .where('key_n', 'in', keys)
    .where('on_trend', '=', STANDING.point)
    .orderBy('time_ms', 'desc')
    .orderBy('run_n', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (newest === undefined) return {};
  const all = await measuredIn(db, newest.run_n);
  const own = all?.[newest.position];
  if (all === undefined || own === undefined) return {};
  const others = all.flatMap((one, position) => {
    const isOther = one.problem === own.problem && one.case === own.case && one.mode === own.mode;
    return isOther && one.kernel !== own.kernel ? [position] : [];
  });
  return {
    ...defined({
      ...workOf(own),
      roofline: rooflineOf(own),
    }),
    ...(own.problem === undefined || others.length === 0 ? {} : await fastestOf(db, newest.run_n, others)),
  };
}

/** Undefined where the formulas or one of the ceilings are not known. */
function rooflineOf({ operations = 0, bytes = 0, floor }: Measured[number]): TrendLines['roofline'] {
  const { operations_per_s, bytes_per_s } = floor?.peaks ?? {};
  if (operations <= 0 || bytes <= 0 || operations_per_s === undefined || bytes_per_s === undefined)
    return undefined;
  return { operations, bytes, operations_per_s, bytes_per_s };
}

type Measured = RunDocument['sides']['head']['measurements'];

/** The run that was asked for last: thousands of trends in a row have their newest point in the same one. */
const lastRead = new WeakMap<Db, { readonly run_n: number; readonly all: Measured | undefined }>();

async function measuredIn(db: Db, run_n: number): Promise<Measured | undefined> {
  const known = lastRead.get(db);
  if (known?.run_n === run_n) return known.all;
  const row = await db.selectFrom('documents').select('body').where('run_n', '=', run_n).executeTakeFirst();
  const all = row && (unpackJson(row.body) as RunDocument).sides.head.measurements;
  lastRead.set(db, { run_n, all });
  return all;
}

async function fastestOf(
  db: Db,
  run_n: number,
  positions: readonly number[],
): Promise<Pick<TrendLines, 'reference'>> {
  const fastest = await db
    .selectFrom('measurements')
    .innerJoin('keys', 'keys.n', 'measurements.key_n')
    .select(['keys.kernel', 'level_ms'])
    .where('run_n', '=', run_n)
    .where('side', '=', 0)
    .where('position', 'in', positions)
    .where('on_trend', '=', STANDING.point)
    .where('level_ms', 'is not', null)
    .orderBy('level_ms')
    .limit(1)
    .executeTakeFirst();
  if (fastest === undefined) return {};
  return { reference: { kernel: fastest.kernel, level_ms: fastest.level_ms! } };
}
