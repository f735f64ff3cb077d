import { sql } from 'kysely';

import type { TrendPoint, TrendSetting } from '../../model/history/history.ts';
import type { Verdict } from '../../model/judge/verdict.ts';
import { canonicalJson } from '../../os/canonical-json.ts';
import type { Db } from '../database.ts';
import type { TrendPoints, TrendWindow } from '../history.ts';
import { STANDING } from '../trend-standing.ts';
import { inCommitOrder } from './in-commit-order.ts';
import { findLine } from './keys.ts';
import { iso } from './rows.ts';

const LONG_AGO_MS = -8.64e15;
const FAR_AHEAD_MS = 8.64e15;

export async function trendPoints(
  db: Db,
  keyId: string,
  { since, until, maxPoints }: TrendWindow,
): Promise<TrendPoints | undefined> {
  const found = await findLine(db, keyId);
  if (found === undefined) return undefined;
  // Every n-th from the newest on: counted by the index alone, so those left out are never read.
  const inWindow = db
    .selectFrom('measurements')
    .select([
      'key_n',
      'time_ms',
      'run_n',
      'commit_n',
      'level_ms',
      'low_ms',
      'high_ms',
      'processes',
      'samples',
      'verdict',
      sql<number>`row_number() over (order by time_ms desc, run_n desc)`.as('from_end'),
      sql<number>`count(*) over ()`.as('total'),
    ])
    .where('key_n', 'in', [...found.settings.keys()])
    .where('on_trend', '=', STANDING.point)
    .where('time_ms', '>=', since?.getTime() ?? LONG_AGO_MS)
    .where('time_ms', '<', until?.getTime() ?? FAR_AHEAD_MS);
  const rows = await db
    .selectFrom(inWindow.as('points'))
    .innerJoin('commits', 'commits.n', 'points.commit_n')
    .innerJoin('runs', 'runs.n', 'points.run_n')
    .select([
      'commits.sha',
      'commits.parent',
      'runs.id',
      'runs.started_ms',
      'runs.host',
      'points.time_ms',
      'points.level_ms',
      'points.low_ms',
      'points.high_ms',
      'points.processes',
      'points.samples',
      'points.verdict',
      'points.total',
      'points.key_n',
    ])
    .$if(maxPoints !== undefined, (query) =>
      // Rounded up: at most so many are left.
      query.where(
        sql<boolean>`(from_end - 1) % ((total + ${sql.lit(maxPoints! - 1)}) / ${sql.lit(maxPoints)}) = 0`,
      ),
    )
    .orderBy('points.time_ms')
    .orderBy('runs.started_ms')
    .orderBy('points.run_n')
    .execute();
  const parentOf = new Map(rows.flatMap(({ sha, parent }) => (parent === null ? [] : [[sha, parent]])));
  const settings = new Settings(found.settings);
  const byCommit = new Map<string, TrendPoint>();
  for (const row of rows) {
    // The later one, and in its place.
    byCommit.delete(row.sha);
    byCommit.set(row.sha, {
      commit: row.sha,
      time: iso(row.time_ms),
      run: row.id,
      ...(row.host === null ? {} : { host: row.host }),
      level_ms: row.level_ms!,
      ci_ms: [row.low_ms!, row.high_ms!],
      processes: row.processes,
      samples: row.samples,
      ...(row.verdict === null ? {} : { verdict: row.verdict as Verdict }),
      ...(row.samples === 0 ? { carried: true } : {}),
      setting: settings.of(row.key_n),
    });
  }
  const again = rows.length - byCommit.size;
  return {
    key: found.key,
    points: inCommitOrder([...byCommit.values()], parentOf),
    settings: settings.list,
    total: (rows[0]?.total ?? again) - again,
  };
}

/** Settings in the order in which points have them; keys that differ in nothing a trend shows have the same one. */
class Settings {
  readonly #byKey: ReadonlyMap<number, TrendSetting>;
  readonly #places = new Map<string, number>();
  readonly list: TrendSetting[] = [];

  constructor(byKey: ReadonlyMap<number, TrendSetting>) {
    this.#byKey = byKey;
  }

  of(key_n: number): number {
    const setting = this.#byKey.get(key_n)!;
    const text = canonicalJson(setting);
    const known = this.#places.get(text);
    if (known !== undefined) return known;
    this.#places.set(text, this.list.length);
    this.list.push(setting);
    return this.list.length - 1;
  }
}
