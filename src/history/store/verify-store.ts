import type { RunDocument } from '../../model/history/history-api.ts';
import type { Side } from '../../model/history/stored-run.ts';
import { SIDES } from '../../model/history/stored-run.ts';
import type { Db } from '../database.ts';
import { unpackJson } from '../pack-json.ts';
import { sessionProblems } from '../queries/sessions.ts';
import { runId, seriesHash } from '../run-identity.ts';
import { decodeSeries } from '../series-codec.ts';
import type { SqlHistory } from './sql-history.ts';
import { STANDING } from '../trend-standing.ts';

export interface Verified {
  readonly runs: number;
  readonly measurements: number;
  readonly samples: number;
  /** One sentence each, with the run it is about. */
  readonly problems: readonly string[];
}

const RUNS_AT_A_TIME = 50;

/**
 * Reads everything: that every run is what its id says, every series what its hash says as far as retention has left
 * it, that sessions are as they were stored, and that nothing refers to what is not there.
 */
export async function verifyStore(
  store: SqlHistory,
  onRun: (done: number, total: number) => void = () => undefined,
): Promise<Verified> {
  const problems: string[] = [...(await store.read(danglingReferences))];
  if (store.kind === 'sqlite') problems.push(...(await store.checkFile()));
  problems.push(...(await store.read(sessionProblems)));
  const total = await store.read((db) =>
    db
      .selectFrom('runs')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
  );
  const counts = { runs: 0, measurements: 0, samples: 0 };
  for (let last = 0; ;) {
    const runs = await store.read((db) =>
      db
        .selectFrom('runs')
        .leftJoin('documents', 'documents.run_n', 'runs.n')
        .select(['runs.n', 'runs.id', 'body'])
        .where('runs.n', '>', last)
        .orderBy('runs.n')
        .limit(RUNS_AT_A_TIME)
        .execute(),
    );
    if (runs.length === 0) break;
    for (const run of runs) {
      const found = await store.read((db) => verifyRun(db, run));
      counts.runs++;
      counts.measurements += found.measurements;
      counts.samples += found.samples;
      problems.push(...found.problems.map((problem) => `run ${run.id.slice(0, 12)}: ${problem}`));
      onRun(counts.runs, total.count);
    }
    last = runs.at(-1)!.n;
  }
  return { ...counts, problems };
}

async function verifyRun(
  db: Db,
  { n, id, body }: { readonly n: number; readonly id: string; readonly body: Uint8Array | null },
) {
  const problems: string[] = [];
  const rows = await db
    .selectFrom('measurements')
    .leftJoin('series', 'series.measurement_n', 'measurements.n')
    .select(['side', 'position', 'hash', 'thin', 'kept', 'samples', 'body'])
    .where('run_n', '=', n)
    .orderBy('side')
    .orderBy('position')
    .execute();
  let samples = 0;
  for (const row of rows) {
    const name = `${SIDES[row.side]} measurement ${row.position}`;
    if (row.body === null) {
      problems.push(`${name} has no series`);
      continue;
    }
    try {
      const series = decodeSeries(row.body);
      const count = series.reduce((sum, { samples_ms }) => sum + samples_ms.length, 0);
      samples += count;
      if (count !== row.kept) problems.push(`${name} has ${count} samples where ${row.kept} were written`);
      if (row.thin === 0 && seriesHash(series) !== row.hash) {
        problems.push(`${name} has other samples than those that were stored`);
      }
    } catch (error) {
      problems.push(`${name}: ${(error as Error).message}`);
    }
  }
  const parts = rows.map(({ side, position, hash }) => ({ side: SIDES[side] as Side, position, hash }));
  problems.push(...documentProblems(id, body, parts));
  return { measurements: rows.length, samples, problems };
}

function documentProblems(id: string, body: Uint8Array | null, parts: Parameters<typeof runId>[1]): string[] {
  if (body === null) return ['its document is missing'];
  try {
    const found = runId(unpackJson(body) as RunDocument, parts);
    return found === id ? [] : [`its contents have the hash ${found.slice(0, 12)}: something was changed`];
  } catch (error) {
    return [`its document cannot be read: ${(error as Error).message}`];
  }
}

/** Foreign keys see to most of it; these two rules they cannot say. */
async function danglingReferences(db: Db): Promise<string[]> {
  const unmeasured = await db
    .selectFrom('runs')
    .leftJoin('measurements', 'measurements.run_n', 'runs.n')
    .select('runs.id')
    .where('measurements.n', 'is', null)
    .where('runs.cases', '>', 0)
    .execute();
  const trendless = await db
    .selectFrom('measurements')
    .innerJoin('runs', 'runs.n', 'measurements.run_n')
    .select('runs.id')
    .where('on_trend', '=', STANDING.point)
    .where((eb) => eb.or([eb('measurements.commit_n', 'is', null), eb('level_ms', 'is', null)]))
    .execute();
  return [
    ...unmeasured.map(({ id }) => `run ${id.slice(0, 12)}: its measurements are missing`),
    ...trendless.map(({ id }) => `run ${id.slice(0, 12)}: a point of a trend has no commit or no level`),
  ];
}
