/** Trials and their attempts, as rows tell of them. */
import { trialSchema, type Trial, type TrialDetails } from '../../model/tune/study.ts';
import type { Connection, StudyDatabase } from './study-database.ts';
import type { Lease } from './trial-ledger.ts';

const TRIAL_COLUMNS = `
  t.number, t.variant, t.phase, t.proposed_s, t.revision,
  a.worker, a.token, a.outcome, a.details, a.told_s`;
/** The attempt that counts: the one that told, else the one under way. */
const FROM_TRIALS = `
  from pawl_study_trials t
  left join pawl_study_attempts a on a.study = t.study and a.number = t.number and a.state in ('held', 'told')`;

interface TrialRow {
  readonly number: number;
  readonly variant: unknown;
  readonly phase: string;
  readonly proposed_s: number;
  readonly revision: number;
  readonly worker: string | null;
  readonly token: string | null;
  readonly outcome: unknown;
  readonly details: TrialDetails | null;
  readonly told_s: number | null;
}

/** The trials that changed after a revision. */
export async function changedTrials(
  database: StudyDatabase,
  study: string,
  after: number,
): Promise<{ readonly trial: Trial; readonly revision: number }[]> {
  const rows = await database.query<TrialRow>(
    `select ${TRIAL_COLUMNS} ${FROM_TRIALS} where t.study = $1 and t.revision > $2 order by t.number`,
    [study, after],
  );
  return rows.map((row) => ({ trial: trialOf(row), revision: row.revision }));
}

/** What a token holds or held. */
export async function leaseOf(client: Connection, token: string): Promise<Lease | undefined> {
  const { rows } = await client.query<TrialRow>(`select ${TRIAL_COLUMNS} ${FROM_TRIALS} where a.token = $1`, [
    token,
  ]);
  return rows[0] === undefined ? undefined : { trial: trialOf(rows[0]), token };
}

export async function stateOf(client: Connection, token: string): Promise<string | undefined> {
  const { rows } = await client.query<{ state: string }>(
    'select state from pawl_study_attempts where token = $1',
    [token],
  );
  return rows[0]?.state;
}

/** The first trial that no worker has, and how often its workers were lost. */
export async function nextFree(
  client: Connection,
  study: string,
): Promise<{ readonly number: number; readonly lost: number } | undefined> {
  const { rows } = await client.query<{ number: number; lost: number }>(
    `select t.number, (count(*) filter (where a.state = 'lost'))::integer as lost
     from pawl_study_trials t join pawl_study_attempts a on a.study = t.study and a.number = t.number
     where t.study = $1
     group by t.number
     having bool_and(a.state in ('lost', 'returned'))
     order by t.number limit 1`,
    [study],
  );
  return rows[0];
}

function trialOf(row: TrialRow): Trial {
  const { number, variant, phase, proposed_s, worker, outcome, details, told_s } = row;
  return trialSchema.parse({
    number,
    variant,
    phase,
    proposed_s,
    ...(worker === null ? {} : { worker }),
    ...details,
    ...(outcome === null ? {} : { outcome, told_s: told_s ?? 0 }),
  });
}
