import type { Migration } from './migration.ts';

/** Notes on changes, the work of a case, who made a commit, and commits as a way to measurements. */
export const v8Notes: Migration = {
  version: 8,
  async up({ schema }) {
    await schema.alterTable('commits').addColumn('author', 'text').execute();
    await schema.alterTable('keys').addColumn('work', 'text').execute();
    await schema.createIndex('measurements_by_commit').on('measurements').columns(['commit_n']).execute();
    // By what a change is known by, not by rows that hold it: changes are found again, and trends joined.
    await schema
      .createTable('notes')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('commit_sha', 'text', (column) => column.notNull())
      .addColumn('kernel', 'text')
      .addColumn('case_name', 'text')
      .addColumn('mode', 'text')
      .addColumn('device', 'text')
      .addColumn('text', 'text', (column) => column.notNull())
      .addColumn('link', 'text')
      .addColumn('author', 'text')
      .addColumn('created_ms', 'bigint', (column) => column.notNull())
      .addColumn('removed_ms', 'bigint')
      .execute();
    await schema.createIndex('notes_by_commit').on('notes').columns(['commit_sha']).execute();
  },
  async down({ schema }) {
    await schema.dropTable('notes').execute();
    await schema.dropIndex('measurements_by_commit').execute();
    await schema.alterTable('keys').dropColumn('work').execute();
    await schema.alterTable('commits').dropColumn('author').execute();
  },
};
