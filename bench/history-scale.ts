/**
 * A generated history of two years on SQLite and PostgreSQL: how fast it goes in, how large it is, and how long a
 * trend and an overview take, by size. The newest commits keep all samples; what is older is as retention leaves it,
 * 20 order statistics a series, and then none.
 *
 *   npx tsc -p tsconfig.bench.json && node .bench/bench/history-scale.js [--commits 5000] [--raw 100] [--store sqlite] \
 *     [--keep FOLDER] [--postgres URL]
 *
 * `--keep` leaves `history.db` in a folder, and `--postgres` writes to a database that is there: what they leave is a
 * store for `dashboard-paint.js`.
 */
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { sql } from 'kysely';

import type { StoredContents } from '../src/history/history.ts';
import { openStore } from '../src/history/store/open-store.ts';
import { thinSeries } from '../src/history/store/retention.ts';
import { partsOf, runId } from '../src/history/run-identity.ts';
import type { SqlHistory } from '../src/history/store/sql-history.ts';
import { measurementLevel } from '../src/history/measurement-level.ts';
import { levelFacts } from '../src/history/prepare-run.ts';
import { PostgresServer } from '../test/services/postgres-server.ts';
import { commitAt, runAt, timeAt } from './history/generated-history.ts';

const { values } = parseArgs({
  options: {
    commits: { type: 'string', default: '5000' },
    cases: { type: 'string', default: '200' },
    processes: { type: 'string', default: '10' },
    samples: { type: 'string', default: '100' },
    /** The newest so many commits keep all samples, and so many before them 20 a series. */
    raw: { type: 'string', default: '110' },
    thinned: { type: 'string', default: '100' },
    store: { type: 'string', default: 'sqlite,postgres' },
    keep: { type: 'string' },
    postgres: { type: 'string' },
  },
});
const commits = Number(values.commits);
const shape = {
  cases: Number(values.cases),
  processes: Number(values.processes),
  samples: Number(values.samples),
};
const raw = Number(values.raw);
const thinned = Number(values.thinned);
const sizes = [0.1, 0.3, 1].map((part) => Math.round(part * commits));

for (const kind of values.store.split(',')) {
  if (kind === 'sqlite') {
    const folder = values.keep ?? (await mkdtemp(join(tmpdir(), 'pawl-scale-')));
    try {
      const path = join(folder, 'history.db');
      await measure('SQLite', path, async () => (await stat(path)).size);
    } finally {
      if (values.keep === undefined) await rm(folder, { recursive: true, force: true });
    }
  } else {
    const postgres = values.postgres === undefined ? await PostgresServer.start() : undefined;
    try {
      const url = values.postgres ?? (await postgres!.createDatabase());
      await measure('PostgreSQL', url, async (store) => {
        await store.read((db) => sql`vacuum analyze`.execute(db));
        const { rows } = await store.read((db) =>
          sql<{ size: number }>`select pg_database_size(current_database()) as size`.execute(db),
        );
        return rows[0]!.size;
      });
    } finally {
      await postgres?.stop();
    }
  }
}

async function measure(
  name: string,
  place: string,
  sizeOf: (store: SqlHistory) => Promise<number>,
): Promise<void> {
  const store = await openStore(place);
  try {
    const done = { commits: 0, raw: 0 };
    for (const [step, size] of sizes.entries()) {
      const last = step === sizes.length - 1;
      const rawFrom = size - Math.round((raw * size) / commits);
      const thinFrom = rawFrom - Math.round((thinned * size) / commits);
      const started = performance.now();
      let rawMs = 0;
      let rawSamples = 0;
      for (let at = done.commits; at < size; at++) {
        const isRaw = at >= rawFrom;
        const thin = isRaw ? 0 : at >= thinFrom ? 1 : 2;
        const run = isRaw ? runAt(at, shape) : undefined;
        const begun = performance.now();
        if (run !== undefined) {
          await store.put(run, { commits: [commitAt(at)] });
          rawMs += performance.now() - begun;
          rawSamples += shape.cases * shape.processes * shape.samples;
        } else {
          await store.putContents(asRetentionLeavesIt(at, thin as 1 | 2));
        }
      }
      done.commits = size;
      done.raw += rawSamples;
      const seconds = (performance.now() - started) / 1000;
      const bytes = await sizeOf(store);
      const trend = await timesOf(200, trendQuery(store));
      const picture = await timesOf(200, trendQuery(store, 500));
      const month = await timesOf(40, overviewQuery(store, size, 30));
      const all = await timesOf(40, overviewQuery(store, size, 730));
      const runs = await timesOf(40, () => store.runs({ kernel: 'kernel-3', case: 'case-7' }, { limit: 50 }));
      console.log(
        JSON.stringify({
          store: name,
          commits: size,
          points: size * shape.cases,
          raw_samples_stored: done.raw,
          samples_by_number: size * shape.cases * shape.processes * shape.samples,
          wall_s: round(seconds),
          ingest_raw_samples_per_s: Math.round((1000 * rawSamples) / rawMs),
          ingest_run_ms: round((rawMs * shape.cases * shape.processes * shape.samples) / rawSamples),
          size_mb: round(bytes / 1e6),
          trend_all_points_p95_ms: trend,
          trend_500_points_p95_ms: picture,
          overview_30_days_p95_ms: month,
          overview_730_days_p95_ms: all,
          runs_of_a_case_p95_ms: runs,
          ...(last ? await sampleBytes(store) : {}),
        }),
      );
    }
  } finally {
    await store.close();
  }
}

/** Runs whose samples are gone have the levels that they had: those alone are made, not samples to throw away. */
function asRetentionLeavesIt(at: number, thin: 1 | 2): StoredContents {
  const { document, measurements } = partsOf(
    runAt(at, thin === 1 ? shape : { ...shape, samples: 1, processes: 1 }),
  );
  const kept = measurements.map(({ side, position, hash, measurement }) => {
    const { series } = measurement;
    if (thin === 1) {
      const level = levelFacts(measurementLevel(series));
      return { side, position, hash, thin, level, series: series.map((one) => thinSeries(one, 20)) };
    }
    const level_ms = series[0]!.samples_ms[0]!;
    return {
      side,
      position,
      hash,
      thin,
      level: {
        level_ms,
        low_ms: 0.996 * level_ms,
        high_ms: 1.004 * level_ms,
        between_pct: 0.5,
        cv_pct: 2,
        processes: shape.processes,
        samples: shape.processes * shape.samples,
      },
      series: Array.from({ length: shape.processes }, (_, index) =>
        Object.assign(thinSeries(series[0]!, 0), { process: index + 1, thinned_from: shape.samples }),
      ),
    };
  });
  return { id: runId(document, kept), document, commits: [commitAt(at)], measurements: kept };
}

function trendQuery(store: SqlHistory, maxPoints?: number): (round: number) => Promise<unknown> {
  let keys: readonly { readonly id: string }[] | undefined;
  return async (round) => {
    keys ??= await store.keys();
    const { id } = keys[(round * 7919) % keys.length]!;
    return store.trendPoints(id, maxPoints === undefined ? {} : { maxPoints });
  };
}

function overviewQuery(store: SqlHistory, size: number, days: number): () => Promise<unknown> {
  const until = new Date(timeAt(size) + 86_400_000);
  return () => store.overview({ since: new Date(until.getTime() - days * 86_400_000), until });
}

/** The 95th percentile, the first few apart, in milliseconds. */
async function timesOf(count: number, query: (round: number) => Promise<unknown>): Promise<number> {
  const times = [];
  for (let i = 0; i < count; i++) {
    const begun = performance.now();
    await query(i);
    times.push(performance.now() - begun);
  }
  times.sort((a, b) => a - b);
  return round(times[Math.ceil(0.95 * count) - 1]!);
}

/** What the bodies take, by how far they were thinned. */
async function sampleBytes(store: SqlHistory) {
  const rows = await store.read((db) =>
    db
      .selectFrom('series')
      .select((eb) => [
        'thin',
        eb.fn.countAll<number>().as('measurements'),
        eb.fn.sum<number>('kept').as('samples'),
        sql<number>`sum(length(body))`.as('bytes'),
      ])
      .groupBy('thin')
      .orderBy('thin')
      .execute(),
  );
  return { bodies: rows };
}

function round(value: number): number {
  return Math.round(10 * value) / 10;
}
