import type { Kysely } from 'kysely';

import type { ColumnTypes, Migration } from './migration.ts';

/** The facts: runs with their documents, what was measured, what was decided, profiles and studies. */
export const v1Facts: Migration = {
  version: 1,
  async up(db, types) {
    await createNames(db, types);
    await createRuns(db, types);
    await createMeasurements(db, types);
    await createOthers(db, types);
  },
  async down(db) {
    for (const table of [
      'trials',
      'studies',
      'profiles',
      'verdicts',
      'series',
      'measurements',
      'documents',
      'runs',
      'keys',
      'devices',
      'commits',
    ]) {
      await db.schema.dropTable(table).execute();
    }
  },
};

/** What many rows refer to. */
async function createNames({ schema }: Kysely<unknown>, { number }: ColumnTypes): Promise<void> {
  await schema
    .createTable('commits')
    .addColumn('n', number, (column) => column.primaryKey())
    .addColumn('sha', 'text', (column) => column.notNull().unique())
    .addColumn('parent', 'text')
    .addColumn('time_ms', 'bigint')
    .addColumn('subject', 'text')
    .execute();
  await schema
    .createTable('devices')
    .addColumn('n', number, (column) => column.primaryKey())
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('info', 'text', (column) => column.notNull())
    .execute();
  await schema
    .createTable('keys')
    .addColumn('n', number, (column) => column.primaryKey())
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('kernel', 'text', (column) => column.notNull())
    .addColumn('case_name', 'text', (column) => column.notNull())
    .addColumn('variant', 'text', (column) => column.notNull())
    .addColumn('mode', 'text', (column) => column.notNull())
    .addColumn('device_class', 'text', (column) => column.notNull())
    .execute();
}

async function createRuns({ schema }: Kysely<unknown>, { number, bytes }: ColumnTypes): Promise<void> {
  await schema
    .createTable('runs')
    .addColumn('n', number, (column) => column.primaryKey())
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('started_ms', 'bigint', (column) => column.notNull())
    .addColumn('finished_ms', 'bigint')
    .addColumn('commit_n', 'bigint', (column) => column.references('commits.n'))
    .addColumn('base_commit_n', 'bigint', (column) => column.references('commits.n'))
    .addColumn('branch', 'text')
    .addColumn('pull_request', 'integer')
    .addColumn('host', 'text')
    .addColumn('device_n', 'bigint', (column) => column.references('devices.n'))
    .addColumn('verdict', 'text')
    .addColumn('cases', 'integer', (column) => column.notNull())
    .addColumn('samples', 'bigint', (column) => column.notNull())
    .addColumn('device_s', 'double precision')
    .addColumn('between_pct', 'double precision')
    .addColumn('controls', 'integer', (column) => column.notNull())
    .addColumn('alarms', 'integer', (column) => column.notNull())
    .addColumn('thin', 'integer', (column) => column.notNull())
    .execute();
  await schema.createIndex('runs_by_time').on('runs').columns(['started_ms', 'n']).execute();
  await schema.createIndex('runs_by_commit').on('runs').columns(['commit_n']).execute();
  await schema
    .createTable('documents')
    .addColumn('run_n', 'bigint', (column) => column.primaryKey().references('runs.n'))
    .addColumn('body', bytes, (column) => column.notNull())
    .execute();
}

async function createMeasurements(
  { schema }: Kysely<unknown>,
  { number, bytes }: ColumnTypes,
): Promise<void> {
  await schema
    .createTable('measurements')
    .addColumn('n', number, (column) => column.primaryKey())
    .addColumn('run_n', 'bigint', (column) => column.notNull().references('runs.n'))
    .addColumn('side', 'integer', (column) => column.notNull())
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('key_n', 'bigint', (column) => column.notNull().references('keys.n'))
    .addColumn('commit_n', 'bigint', (column) => column.references('commits.n'))
    .addColumn('time_ms', 'bigint', (column) => column.notNull())
    .addColumn('on_trend', 'integer', (column) => column.notNull())
    .addColumn('level_ms', 'double precision')
    .addColumn('low_ms', 'double precision')
    .addColumn('high_ms', 'double precision')
    .addColumn('between_pct', 'double precision')
    .addColumn('cv_pct', 'double precision')
    .addColumn('processes', 'integer', (column) => column.notNull())
    .addColumn('samples', 'integer', (column) => column.notNull())
    .addColumn('verdict', 'text')
    .addColumn('hash', 'text', (column) => column.notNull())
    .execute();
  await schema
    .createIndex('measurements_by_run')
    .unique()
    .on('measurements')
    .columns(['run_n', 'key_n', 'side', 'position'])
    .execute();
  // All that a trend shows: 5,000 points of a key are 5,000 places of the table, but one stretch of this index.
  await schema
    .createIndex('measurements_by_key')
    .on('measurements')
    .columns([
      'key_n',
      'on_trend',
      'time_ms',
      'run_n',
      'commit_n',
      'level_ms',
      'low_ms',
      'high_ms',
      'processes',
      'samples',
      'verdict',
    ])
    .execute();
  await schema
    .createTable('series')
    .addColumn('measurement_n', 'bigint', (column) => column.primaryKey().references('measurements.n'))
    .addColumn('thin', 'integer', (column) => column.notNull())
    .addColumn('kept', 'integer', (column) => column.notNull())
    .addColumn('body', bytes, (column) => column.notNull())
    .execute();
}

async function createOthers({ schema }: Kysely<unknown>, { number, bytes }: ColumnTypes): Promise<void> {
  await schema
    .createTable('verdicts')
    .addColumn('run_n', 'bigint', (column) => column.notNull().references('runs.n'))
    .addColumn('key_n', 'bigint', (column) => column.notNull().references('keys.n'))
    .addColumn('verdict', 'text', (column) => column.notNull())
    .addColumn('change_pct', 'double precision')
    .addColumn('low_pct', 'double precision')
    .addColumn('high_pct', 'double precision')
    .addColumn('baseline_ms', 'double precision')
    .addColumn('candidate_ms', 'double precision')
    .addColumn('waived', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('verdicts_pk', ['run_n', 'key_n'])
    .execute();
  await schema
    .createTable('profiles')
    .addColumn('n', number, (column) => column.primaryKey())
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('time_ms', 'bigint', (column) => column.notNull())
    .addColumn('kernel', 'text', (column) => column.notNull())
    .addColumn('case_name', 'text', (column) => column.notNull())
    .addColumn('mode', 'text', (column) => column.notNull())
    .addColumn('commit_sha', 'text')
    .addColumn('summary', 'text')
    .addColumn('body', bytes, (column) => column.notNull())
    .execute();
  await schema.createIndex('profiles_by_time').on('profiles').columns(['time_ms', 'n']).execute();
  await schema
    .createTable('studies')
    .addColumn('n', number, (column) => column.primaryKey())
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('kernel', 'text', (column) => column.notNull())
    .addColumn('started_ms', 'bigint', (column) => column.notNull())
    .addColumn('finished_ms', 'bigint')
    .addColumn('document', 'text', (column) => column.notNull())
    .execute();
  await schema
    .createTable('trials')
    .addColumn('study_n', 'bigint', (column) => column.notNull().references('studies.n'))
    .addColumn('number', 'integer', (column) => column.notNull())
    .addColumn('time_ms', 'double precision')
    .addColumn('done', 'integer', (column) => column.notNull())
    .addColumn('document', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('trials_pk', ['study_n', 'number'])
    .execute();
}
