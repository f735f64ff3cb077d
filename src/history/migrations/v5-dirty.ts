import type { Kysely } from 'kysely';

import type { RunDocument } from '../../model/history/history-api.ts';
import type { Db, Tables } from '../database.ts';
import { isDirty } from '../is-dirty.ts';
import { unpackJson } from '../pack-json.ts';
import { STANDING } from '../trend-standing.ts';
import type { Migration } from './migration.ts';

/** A list of runs says whether the files that were measured are those of the commit. */
export const v5Dirty: Migration = {
  version: 5,
  async up(db) {
    await db.schema
      .alterTable('runs')
      .addColumn('dirty', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
    await findDirtyRuns(db as Kysely<Tables>);
  },
  async down(db) {
    await db.schema.alterTable('runs').dropColumn('dirty').execute();
  },
};

/** Only documents say it. What is a point of a trend was measured at its commit, so few of them have to be read. */
async function findDirtyRuns(db: Db): Promise<void> {
  const found = await db
    .selectFrom('measurements')
    .select('run_n')
    .distinct()
    .where('side', '=', 0)
    .where('commit_n', 'is not', null)
    .where('on_trend', 'in', [STANDING.loose, STANDING.apart])
    .execute();
  for (const { run_n } of found) {
    const row = await db.selectFrom('documents').select('body').where('run_n', '=', run_n).executeTakeFirst();
    const document = row && (unpackJson(row.body) as RunDocument);
    if (document === undefined || !isDirty(document.sides.head)) continue;
    await db.updateTable('runs').set({ dirty: 1 }).where('n', '=', run_n).execute();
  }
}
