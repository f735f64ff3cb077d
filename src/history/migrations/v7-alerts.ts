import type { Migration } from './migration.ts';

/** The outbox of alerts: what each subscription was told, and what is still to be sent. */
export const v7Alerts: Migration = {
  version: 7,
  async up({ schema }, { number }) {
    await schema
      .createTable('alert_subscriptions')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('since_ms', 'bigint', (column) => column.notNull())
      .execute();
    await schema
      .createTable('alerts')
      .addColumn('n', number, (column) => column.primaryKey())
      .addColumn('id', 'text', (column) => column.notNull().unique())
      .addColumn('subscription', 'text', (column) => column.notNull())
      .addColumn('key_id', 'text', (column) => column.notNull())
      .addColumn('commit_sha', 'text', (column) => column.notNull())
      .addColumn('previous_sha', 'text')
      .addColumn('time_ms', 'bigint', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('found_ms', 'bigint', (column) => column.notNull())
      .addColumn('next_ms', 'bigint', (column) => column.notNull())
      .addColumn('tries', 'integer', (column) => column.notNull())
      .addColumn('sent_ms', 'bigint')
      .addColumn('error', 'text')
      .addColumn('body', 'text', (column) => column.notNull())
      .execute();
    await schema.createIndex('alerts_by_state').on('alerts').columns(['state', 'next_ms']).execute();
    await schema.createIndex('alerts_by_subscription').on('alerts').column('subscription').execute();
  },
  async down({ schema }) {
    await schema.dropTable('alerts').execute();
    await schema.dropTable('alert_subscriptions').execute();
  },
};
