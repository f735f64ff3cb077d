import { sql, type Kysely } from 'kysely';

import type { Db, Tables } from '../database.ts';
import { lineId, shortHash } from '../history-key.ts';
import { internLines } from '../intern.ts';
import { summarizeAll } from '../summaries.ts';
import type { TrendSetting } from '../../model/history/history.ts';
import type { Variant } from '../../model/problem/variant.ts';
import { canonicalJson } from '../../os/canonical-json.ts';
import type { Migration } from './migration.ts';

/**
 * A trend goes on when the driver, CUDA, the clocks, the compiler or the default variant changes: `lines` are trends,
 * and `keys` what their points were measured under. Earlier versions began a new trend at each such change, and did
 * not keep the compiler beside the points: of what they stored it stays unknown.
 */
export const v6Lines: Migration = {
  version: 6,
  async up(db, { number }) {
    await db.schema
      .createTable('lines')
      .addColumn('n', number, (column) => column.primaryKey())
      .addColumn('id', 'text', (column) => column.notNull().unique())
      .addColumn('kernel', 'text', (column) => column.notNull())
      .addColumn('case_name', 'text', (column) => column.notNull())
      .addColumn('mode', 'text', (column) => column.notNull())
      .addColumn('device', 'text', (column) => column.notNull())
      .execute();
    await db.schema
      .alterTable('keys')
      .addColumn('line_n', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute();
    await db.schema
      .alterTable('keys')
      .addColumn('setting', 'text', (column) => column.notNull().defaultTo('{}'))
      .execute();
    await db.schema.createIndex('keys_by_line').on('keys').columns(['line_n']).execute();
    const facts = db as Kysely<Tables>;
    await joinLines(facts);
    await setVariantsApart(facts);
    await createSummaries(db, 'line_n', 'lines.n');
    await summarizeAll(facts);
  },
  async down(db) {
    await joinKeys(db as Kysely<Tables>);
    await createSummaries(db, 'key_n', 'keys.n');
    await db.schema.dropIndex('keys_by_line').execute();
    await db.schema.alterTable('keys').dropColumn('setting').execute();
    await db.schema.alterTable('keys').dropColumn('line_n').execute();
    await db.schema.dropTable('lines').execute();
  },
};

/** They are computed from the facts, so they are made again rather than changed. */
async function createSummaries(
  { schema }: Kysely<unknown>,
  name: 'line_n' | 'key_n',
  target: 'lines.n' | 'keys.n',
): Promise<void> {
  for (const table of ['known_changes', 'rollups', 'latest']) await schema.dropTable(table).execute();
  await schema
    .createTable('latest')
    .addColumn(name, 'bigint', (column) => column.primaryKey().references(target))
    .$call((table) =>
      name === 'key_n'
        ? table
        : table.addColumn('key_n', 'bigint', (column) => column.notNull().references('keys.n')),
    )
    .addColumn('time_ms', 'bigint', (column) => column.notNull())
    .addColumn('started_ms', 'bigint', (column) => column.notNull())
    .addColumn('commit_n', 'bigint', (column) => column.references('commits.n'))
    .addColumn('level_ms', 'double precision')
    .addColumn('low_ms', 'double precision')
    .addColumn('high_ms', 'double precision')
    .addColumn('between_pct', 'double precision')
    .addColumn('verdict', 'text')
    .addColumn('points', 'integer', (column) => column.notNull())
    .addColumn('settled', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await schema
    .createTable('rollups')
    .addColumn('span_days', 'integer', (column) => column.notNull())
    .addColumn('bucket', 'integer', (column) => column.notNull())
    .addColumn(name, 'bigint', (column) => column.notNull().references(target))
    .addColumn('time_ms', 'bigint', (column) => column.notNull())
    .addColumn('started_ms', 'bigint', (column) => column.notNull())
    .addColumn('level_ms', 'double precision', (column) => column.notNull())
    .addPrimaryKeyConstraint('rollups_pk', ['span_days', 'bucket', name])
    .execute();
  await schema
    .createTable('known_changes')
    .addColumn(name, 'bigint', (column) => column.primaryKey().references(target))
    .addColumn('seen', 'text', (column) => column.notNull())
    .addColumn('changes', 'text', (column) => column.notNull())
    .execute();
}

/** The device class as earlier versions wrote it: the device's name, then what it was measured under. */
const CLASS = /^(.*?)(?:, driver ([^,]*))?(?:, CUDA ([^,]*))?(?:, clocks ([^,]*))?$/su;

async function joinLines(db: Db): Promise<void> {
  const keys = await db.selectFrom('keys').selectAll().orderBy('n').execute();
  const placed = keys.map(({ n, kernel, case_name, mode, device_class }) => {
    const [, device = '', driver, cuda, clocks] = CLASS.exec(device_class) ?? [];
    const facts = { kernel, case: case_name, mode, device };
    const setting: TrendSetting = {
      ...(driver === undefined ? {} : { driver }),
      ...(cuda === undefined ? {} : { cuda }),
      ...(clocks === undefined ? {} : { clocks }),
    };
    return { n, setting: canonicalJson(setting), line: { id: lineId(facts), ...facts } };
  });
  const lines = await internLines(
    db,
    placed.map(({ line }) => line),
  );
  for (const { n, setting, line } of placed) {
    await db
      .updateTable('keys')
      .set({ setting, line_n: lines.get(line.id)! })
      .where('n', '=', n)
      .execute();
  }
}

/** Where a run has a case in several variants, none of them is known to be the default (`withOwnVariants`). */
async function setVariantsApart(db: Db): Promise<void> {
  const several = await db
    .selectFrom('measurements')
    .innerJoin('keys', 'keys.n', 'measurements.key_n')
    .select(['measurements.run_n', 'keys.line_n'])
    .where('measurements.side', '=', 0)
    .groupBy(['measurements.run_n', 'keys.line_n'])
    .having(sql<boolean>`count(distinct keys.variant) > 1`)
    .execute();
  for (const { run_n, line_n } of several) {
    const keys = await db.selectFrom('keys').selectAll().where('line_n', '=', line_n).execute();
    const { device } = await db
      .selectFrom('lines')
      .select('device')
      .where('n', '=', line_n)
      .executeTakeFirstOrThrow();
    for (const { n, id: _, ...key } of keys) {
      const { kernel, case_name, mode, device_class } = key;
      const variant = JSON.parse(key.variant) as Variant;
      const line = { kernel, case: case_name, mode, device, variant };
      const lines = await internLines(db, [{ id: lineId(line), ...line }]);
      const facts = { kernel, case: case_name, variant, mode, device_class, ownVariant: true };
      const id = shortHash(facts);
      await db
        .insertInto('keys')
        .values({ ...key, id, line_n: lines.get(lineId(line))! })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute();
      await repoint(db, n, id, run_n);
    }
  }
}

/** As earlier versions know it: without the compiler, and one key whatever trend it belongs to. */
async function joinKeys(db: Db): Promise<void> {
  const keys = await db.selectFrom('keys').selectAll().orderBy('n').execute();
  for (const { n, id, ...key } of keys) {
    const { kernel, case_name, mode, device_class } = key;
    const variant = JSON.parse(key.variant) as Variant;
    const plain = shortHash({ kernel, case: case_name, variant, mode, device_class });
    if (plain === id) continue;
    await db
      .insertInto('keys')
      .values({ ...key, id: plain })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
    await repoint(db, n, plain);
  }
  // Summaries refer to keys.
  for (const table of ['known_changes', 'rollups', 'latest'] as const) await db.deleteFrom(table).execute();
  await db
    .deleteFrom('keys')
    .where('n', 'not in', (eb) => eb.selectFrom('measurements').select('key_n'))
    .where('n', 'not in', (eb) => eb.selectFrom('verdicts').select('key_n'))
    .execute();
}

async function repoint(db: Db, from: number, id: string, run_n?: number): Promise<void> {
  const { n: key_n } = await db.selectFrom('keys').select('n').where('id', '=', id).executeTakeFirstOrThrow();
  for (const table of ['measurements', 'verdicts'] as const) {
    await db
      .updateTable(table)
      .set({ key_n })
      .where('key_n', '=', from)
      .$if(run_n !== undefined, (query) => query.where('run_n', '=', run_n!))
      .execute();
  }
}
