import type { Migration } from './migration.ts';

/**
 * What an overview of hundreds of keys reads instead of a million points (`latest`, `rollups`), what was found in
 * trends (`known_changes`), which runs another store has (`pushed`), and what a run cost. All of it but the cost
 * and `pushed` is computed from the facts, by a later version.
 */
export const v2Summaries: Migration = {
  version: 2,
  async up(db) {
    const { schema } = db;
    await schema.alterTable('runs').addColumn('money', 'double precision').execute();
    await schema.alterTable('runs').addColumn('currency', 'text').execute();
    await schema
      .createTable('latest')
      .addColumn('key_n', 'bigint', (column) => column.primaryKey().references('keys.n'))
      .addColumn('time_ms', 'bigint', (column) => column.notNull())
      .addColumn('started_ms', 'bigint', (column) => column.notNull())
      .addColumn('commit_n', 'bigint', (column) => column.references('commits.n'))
      .addColumn('level_ms', 'double precision')
      .addColumn('low_ms', 'double precision')
      .addColumn('high_ms', 'double precision')
      .addColumn('between_pct', 'double precision')
      .addColumn('verdict', 'text')
      .addColumn('points', 'integer', (column) => column.notNull())
      .execute();
    await schema
      .createTable('rollups')
      .addColumn('span_days', 'integer', (column) => column.notNull())
      .addColumn('bucket', 'integer', (column) => column.notNull())
      .addColumn('key_n', 'bigint', (column) => column.notNull().references('keys.n'))
      .addColumn('time_ms', 'bigint', (column) => column.notNull())
      .addColumn('started_ms', 'bigint', (column) => column.notNull())
      .addColumn('level_ms', 'double precision', (column) => column.notNull())
      .addPrimaryKeyConstraint('rollups_pk', ['span_days', 'bucket', 'key_n'])
      .execute();
    await schema
      .createTable('known_changes')
      .addColumn('key_n', 'bigint', (column) => column.primaryKey().references('keys.n'))
      .addColumn('seen', 'text', (column) => column.notNull())
      .addColumn('changes', 'text', (column) => column.notNull())
      .execute();
    await schema
      .createTable('pushed')
      .addColumn('remote', 'text', (column) => column.notNull())
      .addColumn('run_id', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('pushed_pk', ['remote', 'run_id'])
      .execute();
  },
  async down(db) {
    const { schema } = db;
    for (const table of ['pushed', 'known_changes', 'rollups', 'latest']) {
      await schema.dropTable(table).execute();
    }
    await schema.alterTable('runs').dropColumn('currency').execute();
    await schema.alterTable('runs').dropColumn('money').execute();
  },
};
