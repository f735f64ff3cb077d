import type { Kysely } from 'kysely';

import type { RunDocument } from '../../model/history/history-api.ts';
import type { Db, Tables } from '../database.ts';
import { unpackJson } from '../pack-json.ts';
import { STANDING } from '../trend-standing.ts';
import type { Migration } from './migration.ts';

/** What a session writes as the subject of the states that it compares, which no branch has. */
const SESSION_STATE = 'Pawl session%';

/**
 * A summary goes by the rule of the trend, and a session's tries are in neither. Earlier versions had tries as points
 * of trends, and files that no commit holds in summaries. Version 6 recomputes the summaries.
 */
export const v4Standing: Migration = {
  version: 4,
  async up(db) {
    await db.schema
      .alterTable('latest')
      .addColumn('settled', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
    const facts = db as Kysely<Tables>;
    await setTriesApart(facts);
    await findVerdictsOfCommits(facts);
    for (const table of ['latest', 'rollups', 'known_changes'] as const) {
      await facts.deleteFrom(table).execute();
    }
  },
  /** A try stays out of the trend: it was never part of it. */
  async down(db) {
    await (db as Kysely<Tables>)
      .updateTable('measurements')
      .set({ on_trend: STANDING.loose })
      .where('on_trend', 'in', [STANDING.verdict, STANDING.apart])
      .execute();
    await db.schema.alterTable('latest').dropColumn('settled').execute();
  },
};

async function setTriesApart(db: Db): Promise<void> {
  const states = db.selectFrom('commits').select('n').where('subject', 'like', SESSION_STATE);
  const tries = db
    .selectFrom('runs')
    .select('n')
    .where((eb) => eb.or([eb('kind', '=', 'session'), eb('commit_n', 'in', states)]));
  await db
    .updateTable('measurements')
    .set({ on_trend: STANDING.apart })
    .where('run_n', 'in', tries)
    .execute();
}

/** Whether a commit holds the files is said by the document alone. */
async function findVerdictsOfCommits(db: Db): Promise<void> {
  const found = await db
    .selectFrom('measurements')
    .select(['n', 'run_n', 'position'])
    .where('on_trend', '=', STANDING.loose)
    .where('side', '=', 0)
    .where('commit_n', 'is not', null)
    .where('verdict', 'is not', null)
    .where((eb) => eb.or([eb('verdict', '=', 'incorrect'), eb('level_ms', 'is', null)]))
    .execute();
  for (const { n, run_n, position } of found) {
    const row = await db.selectFrom('documents').select('body').where('run_n', '=', run_n).executeTakeFirst();
    const document = row && (unpackJson(row.body) as RunDocument);
    if (document?.sides.head.measurements[position]?.dirty === true) continue;
    await db.updateTable('measurements').set({ on_trend: STANDING.verdict }).where('n', '=', n).execute();
  }
}
