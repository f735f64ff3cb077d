import type { Migration } from './migration.ts';

/** Optimisation sessions: whole as documents, and beside each what a list of them shows and is ordered by. */
export const v3Sessions: Migration = {
  version: 3,
  async up({ schema }, { number, bytes }) {
    await schema
      .createTable('sessions')
      .addColumn('n', number, (column) => column.primaryKey())
      .addColumn('id', 'text', (column) => column.notNull().unique())
      .addColumn('started_ms', 'bigint', (column) => column.notNull())
      .addColumn('revision', 'integer', (column) => column.notNull())
      .addColumn('summary', 'text', (column) => column.notNull())
      .addColumn('hash', 'text', (column) => column.notNull())
      .addColumn('body', bytes, (column) => column.notNull())
      .execute();
    await schema.createIndex('sessions_by_time').on('sessions').columns(['started_ms', 'id']).execute();
  },
  async down({ schema }) {
    await schema.dropTable('sessions').execute();
  },
};
