import type { StoredSeries } from '../../model/history/history-api.ts';
import { DAY_MS } from '../../model/text/moment.ts';
import { PawlError } from '../../model/pawl-error.ts';
import type { RetentionRules } from '../../model/history/retention.ts';
import type { Db } from '../database.ts';
import { inChunks } from '../in-chunks.ts';
import { decodeSeries, encodeSeries } from '../series-codec.ts';
import type { SqlHistory } from './sql-history.ts';

export interface Pruned {
  readonly runs: number;
  readonly samples_before: number;
  readonly samples_after: number;
  readonly bytes_before: number;
  readonly bytes_after: number;
}

/** Thins what is old enough, one run a transaction: stopped half-way, it goes on where it was. */
export async function prune(
  store: SqlHistory,
  rules: RetentionRules,
  {
    now,
    dryRun = false,
    signal,
  }: { readonly now: Date; readonly dryRun?: boolean; readonly signal?: AbortSignal },
): Promise<Pruned> {
  if (!(rules.all_days <= rules.quantiles_days)) {
    throw new PawlError('usage', 'all_days must not be greater than quantiles_days.');
  }
  const total = { runs: 0, samples_before: 0, samples_after: 0, bytes_before: 0, bytes_after: 0 };
  const steps = [
    { thin: 2, before: now.getTime() - rules.quantiles_days * DAY_MS, keep: 0 },
    { thin: 1, before: now.getTime() - rules.all_days * DAY_MS, keep: rules.quantiles },
  ] as const;
  const done = new Set<number>();
  for (const { thin, before, keep } of steps) {
    const runs = await store.read((db) =>
      db
        .selectFrom('runs')
        .select('n')
        .where('started_ms', '<', before)
        .where('thin', '<', thin)
        .orderBy('n')
        .execute(),
    );
    for (const { n } of runs) {
      if (signal?.aborted === true) return total;
      // A dry run changes nothing, so the second step would count the first one's runs again.
      if (done.has(n)) continue;
      done.add(n);
      const one = await thinRun(store, n, { thin, keep, dryRun });
      total.runs++;
      for (const name of ['samples_before', 'samples_after', 'bytes_before', 'bytes_after'] as const) {
        total[name] += one[name];
      }
    }
  }
  if (!dryRun) await store.reclaim();
  return total;
}

function thinRun(
  store: SqlHistory,
  run_n: number,
  { thin, keep, dryRun }: { readonly thin: 1 | 2; readonly keep: number; readonly dryRun: boolean },
): Promise<Omit<Pruned, 'runs'>> {
  return store.write(async (db) => {
    const rows = await db
      .selectFrom('measurements')
      .innerJoin('series', 'series.measurement_n', 'measurements.n')
      .select(['measurement_n', 'kept', 'body'])
      .where('run_n', '=', run_n)
      .where('series.thin', '<', thin)
      .execute();
    const total = { samples_before: 0, samples_after: 0, bytes_before: 0, bytes_after: 0 };
    const smaller = rows.map(({ measurement_n, kept, body }) => {
      const thinned = decodeSeries(body).map((one) => thinSeries(one, keep));
      const one = {
        measurement_n,
        thin,
        kept: thinned.reduce((sum, { samples_ms }) => sum + samples_ms.length, 0),
        body: encodeSeries(thinned),
      };
      total.samples_before += kept;
      total.samples_after += one.kept;
      total.bytes_before += body.length;
      total.bytes_after += one.body.length;
      return one;
    });
    if (dryRun) return total;
    await replaceSeries(db, smaller);
    await db.updateTable('runs').set({ thin }).where('n', '=', run_n).execute();
    return total;
  });
}

/**
 * Takes the rows out and puts them in again: a row that SQLite makes shorter in its place leaves a hole in its page
 * that nothing ever fills, and only pages without rows go back to the disk.
 */
async function replaceSeries(
  db: Db,
  rows: readonly {
    readonly measurement_n: number;
    readonly thin: number;
    readonly kept: number;
    readonly body: Uint8Array;
  }[],
): Promise<void> {
  await inChunks(rows, 1, async (chunk) => {
    await db
      .deleteFrom('series')
      .where(
        'measurement_n',
        'in',
        chunk.map(({ measurement_n }) => measurement_n),
      )
      .execute();
  });
  await inChunks(rows, 4, async (chunk) => {
    await db
      .insertInto('series')
      .values([...chunk])
      .execute();
  });
}

/** Order statistics, evenly spaced, with the least and the largest: they still draw the distribution. */
export function thinSeries(series: StoredSeries, keep: number): StoredSeries {
  const count = series.samples_ms.length;
  if (count <= keep) return series;
  const { clock_mhz: _, throttled_ms: __, thinned_from, ...facts } = series;
  const ascending = [...series.samples_ms].sort((a, b) => a - b);
  const samples_ms =
    keep === 1
      ? [ascending[count >> 1]!]
      : Array.from({ length: keep }, (_, i) => ascending[Math.round((i * (count - 1)) / (keep - 1))]!);
  return { ...facts, samples_ms, thinned_from: thinned_from ?? count };
}
