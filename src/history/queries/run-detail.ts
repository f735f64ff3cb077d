import { isCaseOf } from '../../model/judge/case-key.ts';
import { checkReportSchema } from '../../model/reports/check-report.ts';
import { defined } from '../../model/defined.ts';
import { faultOf, faultText } from '../../model/measure/fault.ts';
import type { HistoryKey } from '../../model/history/history.ts';
import type {
  MeasurementSummary,
  RunDetail,
  RunDocument,
  StoredMeasurement,
  StoredVerdict,
} from '../../model/history/history-api.ts';
import { SIDES, type CommitFacts } from '../../model/history/stored-run.ts';
import type { Verdict } from '../../model/judge/verdict.ts';
import type { Db } from '../database.ts';
import type { StoredContents } from '../history.ts';
import { unpackJson } from '../pack-json.ts';
import { measurementId, parseMeasurementId } from '../run-identity.ts';
import { decodeSeries } from '../series-codec.ts';
import { commitOfRow, KEY_COLUMNS, keyOfRow, runOfRow, type KeyRow } from './rows.ts';
import { selectRuns } from './runs.ts';

/** A run's number by its id, or by a beginning that only one has. */
async function runNumber(
  db: Db,
  id: string,
): Promise<{ readonly n: number; readonly id: string } | undefined> {
  if (!/^[0-9a-f]{4,40}$/.test(id)) return undefined;
  const rows = await db
    .selectFrom('runs')
    .select(['n', 'id'])
    .where('id', '>=', id)
    .where('id', '<', `${id}g`)
    .limit(2)
    .execute();
  return rows.length === 1 ? rows[0] : undefined;
}

async function documentOf(db: Db, run_n: number): Promise<RunDocument> {
  const { body } = await db
    .selectFrom('documents')
    .select('body')
    .where('run_n', '=', run_n)
    .executeTakeFirstOrThrow();
  return unpackJson(body) as RunDocument;
}

export async function findRun(db: Db, id: string): Promise<RunDetail | undefined> {
  const found = await runNumber(db, id);
  if (found === undefined) return undefined;
  const run = await selectRuns(db).where('runs.n', '=', found.n).executeTakeFirstOrThrow();
  const document = await documentOf(db, found.n);
  const rows = await selectMeasurements(db).where('measurements.run_n', '=', found.n).execute();
  const verdicts = await db
    .selectFrom('verdicts')
    .innerJoin('keys', 'keys.n', 'verdicts.key_n')
    .innerJoin('lines', 'lines.n', 'keys.line_n')
    .select(KEY_COLUMNS)
    .select(['verdict', 'change_pct', 'low_pct', 'high_pct', 'baseline_ms', 'candidate_ms', 'waived'])
    .where('run_n', '=', found.n)
    .orderBy('keys.kernel')
    .orderBy('keys.case_name')
    .execute();
  return {
    run: runOfRow(run),
    document,
    measurements: rows.map((row) => summaryOf(row, document)),
    verdicts: verdicts.map(verdictsOf(document)),
    commits: await commitsOf(db, found.n),
  };
}

/** Reasons as the run's report says them: it is read once, since a run may have thousands of cases. */
function reasonsOf({ report }: RunDocument): (key: HistoryKey) => string | undefined {
  const cases = checkReportSchema.safeParse(report).data?.comparison.cases ?? [];
  const byName = new Map<string, typeof cases>();
  for (const one of cases) {
    const known = byName.get(one.case);
    if (known === undefined) byName.set(one.case, [one]);
    else known.push(one);
  }
  return (key) => byName.get(key.case)?.find((one) => isCaseOf(key, one))?.reason;
}

interface VerdictRow extends KeyRow {
  readonly verdict: string;
  readonly change_pct: number | null;
  readonly low_pct: number | null;
  readonly high_pct: number | null;
  readonly baseline_ms: number | null;
  readonly candidate_ms: number | null;
  readonly waived: number;
}

function verdictsOf(document: RunDocument): (row: VerdictRow) => StoredVerdict {
  const reasonOf = reasonsOf(document);
  return (row) => verdictOf(row, reasonOf(keyOfRow(row)));
}

function verdictOf(row: VerdictRow, reason: string | undefined): StoredVerdict {
  const { change_pct, low_pct, high_pct, baseline_ms, candidate_ms } = row;
  return {
    key: keyOfRow(row),
    verdict: row.verdict as Verdict,
    ...defined({ change_pct, baseline_ms, candidate_ms }),
    ...(low_pct === null || high_pct === null ? {} : { ci_pct: [low_pct, high_pct] as const }),
    waived: row.waived === 1,
    ...defined({ reason }),
  };
}

function selectMeasurements(db: Db) {
  return db
    .selectFrom('measurements')
    .innerJoin('keys', 'keys.n', 'measurements.key_n')
    .innerJoin('lines', 'lines.n', 'keys.line_n')
    .innerJoin('runs', 'runs.n', 'measurements.run_n')
    .select(KEY_COLUMNS)
    .select([
      'measurements.n as n',
      'measurements.run_n as run_n',
      'runs.id as run',
      'measurements.side as side',
      'measurements.position as position',
      'measurements.level_ms as level_ms',
      'measurements.low_ms as low_ms',
      'measurements.high_ms as high_ms',
      'measurements.processes as processes',
      'measurements.samples as samples',
      'measurements.verdict as verdict',
    ])
    .orderBy('measurements.side')
    .orderBy('measurements.position');
}

type MeasurementRow = Awaited<ReturnType<ReturnType<typeof selectMeasurements>['execute']>>[number];

function summaryOf(row: MeasurementRow, document: RunDocument): MeasurementSummary {
  const side = SIDES[row.side]!;
  const { environment, measurements } = document.sides[side]!;
  const facts = measurements[row.position]!;
  const fault = faultOf({ ...facts, series: [] }, environment?.seed);
  return {
    ...defined({ host: environment?.host }),
    ...facts,
    id: measurementId(row.run, side, row.position),
    run: row.run,
    side,
    key: keyOfRow(row),
    ...defined({ level_ms: row.level_ms }),
    ...(row.low_ms === null || row.high_ms === null ? {} : { ci_ms: [row.low_ms, row.high_ms] as const }),
    ...(row.verdict === null ? {} : { verdict: row.verdict as Verdict }),
    ...defined({ fault: fault && faultText(fault) }),
    processes: row.processes,
    samples: row.samples,
  };
}

export async function findMeasurement(db: Db, id: string): Promise<StoredMeasurement | undefined> {
  const asked = parseMeasurementId(id);
  if (asked === undefined) return undefined;
  const row = await selectMeasurements(db)
    .where('runs.id', '=', asked.run)
    .where('measurements.side', '=', SIDES.indexOf(asked.side))
    .where('measurements.position', '=', asked.position)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { body } = await db
    .selectFrom('series')
    .select('body')
    .where('measurement_n', '=', row.n)
    .executeTakeFirstOrThrow();
  const { processes: _, samples: __, ...summary } = summaryOf(row, await documentOf(db, row.run_n));
  return { ...summary, series: decodeSeries(body) };
}

/** Measurements with their samples, by id; those that are not here are left out. Each run's document is read once. */
export async function findMeasurements(
  db: Db,
  ids: readonly string[],
): Promise<Map<string, StoredMeasurement>> {
  const byRun = new Map<string, { readonly wanted: Set<string>; readonly sides: Set<number> }>();
  for (const id of ids) {
    const asked = parseMeasurementId(id);
    if (asked === undefined) continue;
    const of = byRun.get(asked.run) ?? { wanted: new Set(), sides: new Set() };
    byRun.set(asked.run, of);
    of.wanted.add(id);
    of.sides.add(SIDES.indexOf(asked.side));
  }
  const found = new Map<string, StoredMeasurement>();
  for (const [run, { wanted, sides }] of byRun) {
    const rows = await selectMeasurements(db)
      .innerJoin('series', 'series.measurement_n', 'measurements.n')
      .select('series.body as body')
      .where('runs.id', '=', run)
      .where('measurements.side', 'in', [...sides])
      .execute();
    const [first] = rows;
    if (first === undefined) continue;
    const document = await documentOf(db, first.run_n);
    for (const row of rows) {
      const id = measurementId(run, SIDES[row.side]!, row.position);
      if (!wanted.has(id)) continue;
      const { processes: _, samples: __, ...summary } = summaryOf(row, document);
      found.set(id, { ...summary, series: decodeSeries(row.body) });
    }
  }
  return found;
}

export async function findContents(db: Db, id: string): Promise<StoredContents | undefined> {
  const found = await runNumber(db, id);
  if (found === undefined) return undefined;
  const rows = await db
    .selectFrom('measurements')
    .innerJoin('series', 'series.measurement_n', 'measurements.n')
    .select([
      'side',
      'position',
      'hash',
      'thin',
      'body',
      'level_ms',
      'low_ms',
      'high_ms',
      'between_pct',
      'cv_pct',
      'processes',
      'samples',
    ])
    .where('run_n', '=', found.n)
    .orderBy('side')
    .orderBy('position')
    .execute();
  return {
    id: found.id,
    document: await documentOf(db, found.n),
    commits: await commitsOf(db, found.n),
    measurements: rows.map(({ side, position, hash, thin, body, ...level }) => ({
      side: SIDES[side]!,
      position,
      hash,
      thin: thin as 0 | 1 | 2,
      level,
      series: decodeSeries(body),
    })),
  };
}

/** Those that the run and its measurements name. */
async function commitsOf(db: Db, run_n: number): Promise<CommitFacts[]> {
  const { commit_n, base_commit_n } = await db
    .selectFrom('runs')
    .select(['commit_n', 'base_commit_n'])
    .where('n', '=', run_n)
    .executeTakeFirstOrThrow();
  const measured = await db
    .selectFrom('measurements')
    .select('commit_n')
    .distinct()
    .where('run_n', '=', run_n)
    .execute();
  const named = [commit_n, base_commit_n, ...measured.map((row) => row.commit_n)];
  const numbers = new Set(named.filter((n) => n !== null));
  if (numbers.size === 0) return [];
  const rows = await db
    .selectFrom('commits')
    .select(['sha', 'parent', 'time_ms', 'subject', 'author'])
    .where('n', 'in', [...numbers])
    .orderBy('sha')
    .execute();
  return rows.map(commitOfRow);
}
