/** The finalists of a study beside its default. */
import { confirmationSchema, type Confirmation } from '../../model/tune/study-report.ts';
import type { StudyDatabase } from './study-database.ts';

export async function readConfirmations(
  database: StudyDatabase,
  study: string,
): Promise<readonly Confirmation[]> {
  const rows = await database.query<{ confirmation: unknown }>(
    'select confirmation from pawl_study_confirmations where study = $1 order by number',
    [study],
  );
  return rows.map(({ confirmation }) => confirmationSchema.parse(confirmation));
}

/** The first one of a trial counts. */
export async function writeConfirmation(
  database: StudyDatabase,
  study: string,
  confirmation: Confirmation,
): Promise<void> {
  await database.query(
    'insert into pawl_study_confirmations values ($1, $2, $3) on conflict (study, number) do nothing',
    [study, confirmation.trial, JSON.stringify(confirmation)],
  );
}

export async function endConfirmation(database: StudyDatabase, study: string): Promise<void> {
  await database.query(
    'update pawl_studies set confirmed_at = coalesce(confirmed_at, clock_timestamp()) where id = $1',
    [study],
  );
}
