import type { Kysely } from 'kysely';

import type { ColumnTypes, Migration } from '../../history/migrations/migration.ts';

const TABLES = [
  'leases',
  'judgements',
  'submissions',
  'workers',
  'judges',
  'problems',
  'tokens',
  'tenants',
] as const;

export const v1Queue: Migration = {
  version: 1,
  async up(db, types) {
    await createWho(db);
    await createWhat(db);
    await createWork(db, types);
  },
  async down(db) {
    for (const table of TABLES) await db.schema.dropTable(table).execute();
  },
};

async function createWho({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('tenants')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('weight', 'double precision', (column) => column.notNull())
    .addColumn('most_queued', 'bigint', (column) => column.notNull())
    .addColumn('most_per_day', 'bigint', (column) => column.notNull())
    .addColumn('rate_per_s', 'double precision', (column) => column.notNull())
    .addColumn('burst', 'bigint', (column) => column.notNull())
    .addColumn('suspended', 'integer', (column) => column.notNull())
    .addColumn('virtual_s', 'double precision', (column) => column.notNull())
    .addColumn('mean_s', 'double precision', (column) => column.notNull())
    .addColumn('bucket', 'double precision', (column) => column.notNull())
    .addColumn('bucket_ms', 'bigint', (column) => column.notNull())
    .addColumn('day', 'integer', (column) => column.notNull())
    .addColumn('day_count', 'bigint', (column) => column.notNull())
    .addColumn('created_ms', 'bigint', (column) => column.notNull())
    .execute();
  await schema
    .createTable('tokens')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('tenant', 'text', (column) => column.notNull().references('tenants.name'))
    .addColumn('roles', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .addColumn('label', 'text')
    .addColumn('created_ms', 'bigint', (column) => column.notNull())
    .addColumn('expires_ms', 'bigint')
    .addColumn('revoked_ms', 'bigint')
    .execute();
}

async function createWhat({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('problems')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('offered_ms', 'bigint', (column) => column.notNull())
    .execute();
  await schema
    .createTable('judges')
    .addColumn('problem', 'text', (column) => column.notNull().references('problems.name'))
    .addColumn('device_class', 'text', (column) => column.notNull())
    .addColumn('identity', 'text', (column) => column.notNull())
    .addColumn('reference', 'text', (column) => column.notNull())
    .addColumn('since_ms', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('judges_pk', ['problem', 'device_class'])
    .execute();
  await schema
    .createTable('workers')
    .addColumn('worker', 'text', (column) => column.primaryKey())
    .addColumn('device_class', 'text', (column) => column.notNull())
    .addColumn('began_ms', 'bigint', (column) => column.notNull())
    .addColumn('seen_ms', 'bigint', (column) => column.notNull())
    .addColumn('ended_ms', 'bigint')
    .execute();
}

async function createWork({ schema }: Kysely<unknown>, { number, bytes }: ColumnTypes): Promise<void> {
  await schema
    .createTable('submissions')
    .addColumn('n', number, (column) => column.primaryKey())
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('tenant', 'text', (column) => column.notNull().references('tenants.name'))
    .addColumn('client_id', 'text')
    .addColumn('author', 'text')
    .addColumn('problem', 'text', (column) => column.notNull().references('problems.name'))
    .addColumn('device_class', 'text')
    .addColumn('sources_sha256', 'text', (column) => column.notNull())
    .addColumn('files', bytes, (column) => column.notNull())
    .addColumn('bytes', 'integer', (column) => column.notNull())
    .addColumn('priority', 'integer', (column) => column.notNull())
    .addColumn('fresh', 'integer', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('submitted_ms', 'bigint', (column) => column.notNull())
    .addColumn('finished_ms', 'bigint')
    .addColumn('generation', 'integer', (column) => column.notNull())
    .addColumn('worker', 'text')
    .addColumn('identity', 'text')
    .addColumn('judge_class', 'text')
    .addColumn('leased_ms', 'bigint')
    .addColumn('expires_ms', 'bigint')
    .addColumn('lost', 'integer', (column) => column.notNull())
    .addColumn('charged_s', 'double precision', (column) => column.notNull())
    .addColumn('alone', 'integer', (column) => column.notNull())
    .addColumn('judgement_n', 'bigint')
    .addColumn('error', 'text')
    .execute();
  // The order in which a tenant's submissions are taken.
  await schema
    .createIndex('submissions_by_turn')
    .on('submissions')
    .columns(['tenant', 'state', 'priority desc', 'n'])
    .execute();
  await schema
    .createIndex('submissions_by_expiry')
    .on('submissions')
    .columns(['state', 'expires_ms'])
    .execute();
  await schema
    .createIndex('submissions_by_sources')
    .on('submissions')
    .columns(['sources_sha256', 'problem', 'state'])
    .execute();
  await schema
    .createIndex('submissions_by_client_id')
    .unique()
    .on('submissions')
    .columns(['tenant', 'client_id'])
    .execute();
  await schema
    .createTable('leases')
    .addColumn('submission_n', 'bigint', (column) => column.notNull().references('submissions.n'))
    .addColumn('generation', 'integer', (column) => column.notNull())
    .addColumn('worker', 'text', (column) => column.notNull())
    .addColumn('began_ms', 'bigint', (column) => column.notNull())
    .addColumn('ended_ms', 'bigint')
    .addColumn('how', 'text')
    .addPrimaryKeyConstraint('leases_pk', ['submission_n', 'generation'])
    .execute();
  await schema
    .createTable('judgements')
    .addColumn('n', number, (column) => column.primaryKey())
    // One answer counts for each submission: the database refuses a second one.
    .addColumn('submission_n', 'bigint', (column) => column.notNull().unique().references('submissions.n'))
    .addColumn('problem', 'text', (column) => column.notNull())
    .addColumn('identity', 'text', (column) => column.notNull())
    .addColumn('device_class', 'text', (column) => column.notNull())
    .addColumn('sources_sha256', 'text', (column) => column.notNull())
    .addColumn('verdict', 'text', (column) => column.notNull())
    .addColumn('correct', 'integer', (column) => column.notNull())
    .addColumn('reward', 'double precision', (column) => column.notNull())
    .addColumn('estimate', 'double precision')
    .addColumn('low', 'double precision')
    .addColumn('high', 'double precision')
    .addColumn('worker', 'text', (column) => column.notNull())
    .addColumn('judged_ms', 'bigint', (column) => column.notNull())
    .addColumn('document', bytes, (column) => column.notNull())
    .execute();
  await schema
    .createIndex('judgements_by_sources')
    .on('judgements')
    .columns(['identity', 'sources_sha256'])
    .execute();
}
