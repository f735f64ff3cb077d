import { spawn, type ChildProcess } from 'node:child_process';
import { resolve } from 'node:path';

import type { TrialOutcome } from '../../../src/model/tune/study.ts';
import type { StudySettings } from '../../../src/model/tune/study-settings.ts';
import { createStudyRow } from '../../../src/tune/study/postgres-studies.ts';
import { PostgresLedger } from '../../../src/tune/study/postgres-ledger.ts';
import type { StudyDatabase } from '../../../src/tune/study/study-database.ts';

const PROGRAM = resolve(import.meta.dirname, 'ledger-worker.mjs');

const SETTINGS: StudySettings = {
  sampler: 'exhaustive',
  seed: 1,
  confirm: 0,
  processes: 1,
  samples: 20,
  warm: [],
};

/** A trial of the space that these studies search. */
export function proposal(N: number) {
  return { variant: { N }, phase: 'search' } as const;
}

export function measured(time_ms: number): TrialOutcome {
  return {
    status: 'measured',
    time_ms,
    median_ms: time_ms,
    samples: 1,
    processes: 1,
    stopped_early: false,
  };
}

export interface LedgerWorker {
  readonly name: string;
  readonly child: ChildProcess;
  readonly lines: readonly string[];
  readonly ended: Promise<number | null>;
}

export interface WorkerTask {
  /** The store's address, or the folder of messages. */
  readonly where: string;
  readonly study: string;
  readonly name: string;
  readonly space: number;
  readonly sleep_ms: number;
}

/** A worker in a process of its own. */
export function startWorker({ where, study, name, space, sleep_ms }: WorkerTask): LedgerWorker {
  const args = [PROGRAM, where, study, name, String(space), String(sleep_ms)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines: string[] = [];
  let rest = '';
  child.stdout.on('data', (chunk: Buffer) => {
    const parts = (rest + chunk.toString()).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
  });
  const ended = new Promise<number | null>((done) => child.once('exit', (code) => done(code)));
  return { name, child, lines, ended };
}

export async function newStudy(
  database: StudyDatabase,
  id: string,
  more: { readonly trials?: number; readonly lease_s?: number } = {},
): Promise<PostgresLedger> {
  const { trials, lease_s = 60 } = more;
  const settings = { ...SETTINGS, ...(trials === undefined ? {} : { trials }) };
  await createStudyRow(database, { id, kernel: 'k', case: 'c', mode: 'hot', settings, pilots: 1, lease_s });
  return new PostgresLedger(database, id);
}

/** What the tables hold of every trial: how many attempts ended how. */
export function attempts(
  database: StudyDatabase,
  study: string,
): Promise<{ number: number; told: number; lost: number; held: number }[]> {
  return database.query(
    `select t.number,
       (count(*) filter (where a.state = 'told'))::integer as told,
       (count(*) filter (where a.state = 'lost'))::integer as lost,
       (count(*) filter (where a.state = 'held'))::integer as held
     from pawl_study_trials t left join pawl_study_attempts a on a.study = t.study and a.number = t.number
     where t.study = $1 group by t.number order by t.number`,
    [study],
  );
}
