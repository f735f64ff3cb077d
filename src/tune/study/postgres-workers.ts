/** Who works on a study: when it came, was heard of and went. */
import type { KnownWorker, WorkerCard } from './cluster-store.ts';
import { CLOCK_S, changeStudy } from './postgres-studies.ts';
import type { StudyDatabase } from './study-database.ts';

/** The same one again says what it knows by now. */
export async function joinStudy(
  database: StudyDatabase,
  study: string,
  { worker, host, device }: WorkerCard,
): Promise<void> {
  await database.query(
    `insert into pawl_study_workers (study, worker, host, device) values ($1, $2, $3, $4)
     on conflict (study, worker) do update set device = coalesce(excluded.device, pawl_study_workers.device),
       seen_at = clock_timestamp()`,
    [study, worker, host, device ?? null],
  );
}

/** All that the worker holds is its own for another lease, and the study's clock runs on. */
export async function keepLeases(database: StudyDatabase, study: string, worker: string): Promise<void> {
  await database.transaction(async (client) => {
    // In the order of every other change, so that two of them never wait for each other.
    await client.query(
      `update pawl_studies s set clock_s = ${CLOCK_S}, clock_at = clock_timestamp() where s.id = $1`,
      [study],
    );
    await client.query(
      `update pawl_study_attempts a
       set expires_at = clock_timestamp() + make_interval(secs => s.lease_s)
       from pawl_studies s
       where s.id = $1 and a.study = $1 and a.worker = $2 and a.state = 'held'`,
      [study, worker],
    );
    await client.query(
      'update pawl_study_workers set seen_at = clock_timestamp() where study = $1 and worker = $2',
      [study, worker],
    );
  });
}

/** What it held is free at once. */
export async function leaveStudy(
  database: StudyDatabase,
  study: string,
  worker: string,
  refusal?: string,
): Promise<void> {
  await database.transaction(async (client) => {
    await changeStudy(client, study);
    await client.query(
      `update pawl_study_attempts set state = 'returned', ended_at = clock_timestamp()
       where study = $1 and worker = $2 and state = 'held'`,
      [study, worker],
    );
    await client.query(
      `update pawl_study_workers
       set seen_at = clock_timestamp(), ended_at = clock_timestamp(), refusal = $3
       where study = $1 and worker = $2`,
      [study, worker, refusal ?? null],
    );
  });
}

export async function readWorkers(database: StudyDatabase, study: string): Promise<readonly KnownWorker[]> {
  const rows = await database.query<{
    worker: string;
    host: string;
    device: string | null;
    is_here: boolean;
    seconds: number;
    refusal: string | null;
  }>(
    `select w.worker, w.host, w.device, w.refusal,
       w.ended_at is null and w.seen_at + make_interval(secs => s.lease_s) > clock_timestamp() as is_here,
       extract(epoch from coalesce(w.ended_at, w.seen_at) - w.began_at)::double precision as seconds
     from pawl_study_workers w join pawl_studies s on s.id = w.study
     where w.study = $1 order by w.began_at, w.worker`,
    [study],
  );
  return rows.map(({ worker, host, device, is_here, seconds, refusal }) => ({
    worker,
    host,
    device: device ?? undefined,
    isHere: is_here,
    seconds: Math.max(0, seconds),
    refusal: refusal ?? undefined,
  }));
}
