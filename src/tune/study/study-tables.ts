import { LOCK_TABLES, migrateTables, type VersionedTables } from '../../os/migrate-tables.ts';
import type { Connection, StudyDatabase } from './study-database.ts';

/** Each brings the tables from the version before it to its own, counted from 1. What was published is never edited. */
const MIGRATIONS: readonly string[] = [
  `
create table pawl_studies (
  id text primary key,
  created_at timestamptz not null default clock_timestamp(),
  kernel text not null,
  case_name text not null,
  mode text,
  sampler text not null,
  seed bigint not null,
  trials integer,
  budget_s double precision,
  max_cost double precision,
  settings json not null,
  pilots integer not null,
  lease_s double precision not null check (lease_s > 0),
  -- What the first worker found; every other one must find the same.
  gpu_model text,
  sources_hash text,
  space_hash text,
  subject json,
  identity json,
  -- Counts changes of the study's trials; taken under the row's lock, so commits have its order.
  revision integer not null default 0,
  -- Stands still while no worker is heard of.
  clock_s double precision not null default 0,
  clock_at timestamptz not null default clock_timestamp(),
  searched_by text,
  confirmed_at timestamptz
);
create table pawl_study_trials (
  study text not null references pawl_studies on delete cascade,
  number integer not null,
  variant_key text not null,
  variant json not null,
  phase text not null,
  proposed_s double precision not null,
  revision integer not null,
  primary key (study, number),
  unique (study, variant_key)
);
create index pawl_study_trials_revision on pawl_study_trials (study, revision);
create table pawl_study_attempts (
  token text primary key,
  study text not null,
  number integer not null,
  worker text not null,
  state text not null check (state in ('held', 'told', 'lost', 'returned')),
  began_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  ended_at timestamptz,
  told_s double precision,
  outcome json,
  details json,
  foreign key (study, number) references pawl_study_trials on delete cascade,
  check ((state = 'told') = (outcome is not null))
);
create unique index pawl_study_one_outcome on pawl_study_attempts (study, number) where state = 'told';
create unique index pawl_study_one_holder on pawl_study_attempts (study, number) where state = 'held';
create index pawl_study_attempts_trial on pawl_study_attempts (study, number);
create table pawl_study_workers (
  study text not null references pawl_studies on delete cascade,
  worker text not null,
  host text not null,
  device text,
  began_at timestamptz not null default clock_timestamp(),
  seen_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  refusal text,
  primary key (study, worker)
);
create table pawl_study_confirmations (
  study text not null references pawl_studies on delete cascade,
  number integer not null,
  confirmation json not null,
  primary key (study, number)
);`,
];

/** Makes the tables, or brings those of an older Pawl up to date. */
export async function prepareTables(database: StudyDatabase): Promise<void> {
  await database.transaction(async (client) => {
    await client.query(LOCK_TABLES);
    await migrateTables(client, STUDY_TABLES);
  });
}

const STUDY_TABLES: VersionedTables<Connection> = {
  name: 'The study store',
  steps: MIGRATIONS.map((text) => ({ up: (client) => client.query(text) })),
  async openVersion(client) {
    await client.query('create table if not exists pawl_study_version (version integer not null)');
    const { rows } = await client.query<{ version: number }>('select version from pawl_study_version');
    return rows[0]?.version ?? 0;
  },
  async setVersion(client, version) {
    await client.query('delete from pawl_study_version');
    await client.query('insert into pawl_study_version values ($1)', [version]);
  },
};
