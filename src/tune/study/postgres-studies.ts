/** The row of a study: what it is about, its clock, and how it stands. */
import { modeSchema } from '../../model/measure/protocol.ts';
import { PawlError } from '../../model/pawl-error.ts';
import {
  studyIdentitySchema,
  studySettingsSchema,
  studySubjectSchema,
  type StudySettings,
} from '../../model/tune/study-settings.ts';
import type { ClusterStudy, NewStudy, StudyDescription } from './cluster-store.ts';
import type { Connection, StudyDatabase } from './study-database.ts';

/** Seconds of the study's clock, of the row `s`: silence for longer than a lease does not count. */
export const CLOCK_S =
  '(s.clock_s + least(s.lease_s, greatest(0, extract(epoch from clock_timestamp() - s.clock_at)::double precision)))';

interface StudyRow {
  readonly id: string;
  readonly kernel: string;
  readonly case_name: string;
  readonly mode: string | null;
  readonly settings: unknown;
  readonly pilots: number;
  readonly lease_s: number;
  readonly subject: unknown;
  readonly identity: unknown;
  readonly searched_by: string | null;
  readonly confirmed_at: Date | null;
  readonly elapsed_s: number;
}

/** Writes a new study down; the same one again changes nothing. */
export async function createStudyRow(database: StudyDatabase, study: NewStudy): Promise<void> {
  const { settings } = study;
  await database.query(
    `insert into pawl_studies
       (id, kernel, case_name, mode, sampler, seed, trials, budget_s, max_cost, settings, pilots, lease_s)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
     on conflict (id) do nothing`,
    [
      study.id,
      study.kernel,
      study.case,
      study.mode ?? null,
      settings.sampler,
      settings.seed,
      settings.trials ?? null,
      settings.budget_s ?? null,
      settings.max_cost ?? null,
      JSON.stringify(settings),
      study.pilots,
      study.lease_s,
    ],
  );
}

/** A resumed study with other settings: one that was searched to the end of a smaller budget goes on. */
export async function amendStudyRow(
  database: StudyDatabase,
  id: string,
  change: { readonly settings: StudySettings; readonly pilots: number; readonly goesOn: boolean },
): Promise<void> {
  const { settings, pilots, goesOn } = change;
  await database.query(
    `update pawl_studies set settings = $2, sampler = $3, seed = $4, trials = $5, budget_s = $6, max_cost = $7,
       pilots = $8, searched_by = case when $9 then null else searched_by end,
       confirmed_at = case when $9 then null else confirmed_at end
     where id = $1`,
    [
      id,
      JSON.stringify(settings),
      settings.sampler,
      settings.seed,
      settings.trials ?? null,
      settings.budget_s ?? null,
      settings.max_cost ?? null,
      pilots,
      goesOn,
    ],
  );
}

export async function readStudyRow(database: StudyDatabase, id: string): Promise<ClusterStudy> {
  const [row] = await database.query<StudyRow>(
    `select s.*, ${CLOCK_S} as elapsed_s from pawl_studies s where s.id = $1`,
    [id],
  );
  if (row === undefined) throw unknownStudy(id);
  const { subject, identity } = row;
  return {
    id: row.id,
    kernel: row.kernel,
    case: row.case_name,
    mode: row.mode === null ? undefined : modeSchema.parse(row.mode),
    settings: studySettingsSchema.parse(row.settings),
    pilots: row.pilots,
    lease_s: row.lease_s,
    described:
      subject === null
        ? undefined
        : { subject: studySubjectSchema.parse(subject), identity: studyIdentitySchema.parse(identity) },
    searched_by: row.searched_by ?? undefined,
    isConfirmed: row.confirmed_at !== null,
    elapsed_s: row.elapsed_s,
  };
}

/** The latest study of a kernel and case. */
export async function latestStudyId(
  database: StudyDatabase,
  kernel: string,
  name: string,
): Promise<string | undefined> {
  const [row] = await database.query<{ id: string }>(
    'select id from pawl_studies where kernel = $1 and case_name = $2 order by created_at desc, id desc limit 1',
    [kernel, name],
  );
  return row?.id;
}

/** The first description stays. */
export async function describeStudy(
  database: StudyDatabase,
  id: string,
  { subject, identity }: StudyDescription,
): Promise<StudyDescription> {
  await database.query(
    `update pawl_studies set subject = $2, identity = $3, gpu_model = $4, sources_hash = $5, space_hash = $6,
       mode = $7, clock_at = clock_timestamp()
     where id = $1 and subject is null`,
    [
      id,
      JSON.stringify(subject),
      JSON.stringify(identity),
      identity.device,
      identity.sources,
      identity.space,
      identity.mode,
    ],
  );
  return (await readStudyRow(database, id)).described!;
}

/** Takes the lock of the study's row and counts one more change. */
export async function changeStudy(client: Connection, id: string): Promise<number> {
  const { rows } = await client.query<{ revision: number }>(
    'update pawl_studies set revision = revision + 1 where id = $1 returning revision',
    [id],
  );
  if (rows[0] === undefined) throw unknownStudy(id);
  return rows[0].revision;
}

function unknownStudy(id: string): PawlError {
  return new PawlError('usage', `There is no study "${id}" in this store.`, 'Look at --study and --store.');
}

/** The first end counts. */
export async function endSearch(database: StudyDatabase, study: string, by: string): Promise<void> {
  await database.query('update pawl_studies set searched_by = coalesce(searched_by, $2) where id = $1', [
    study,
    by,
  ]);
}
