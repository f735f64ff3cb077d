import { spawn, type ChildProcess } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Study } from '../../src/model/study-report.ts';
import { variantText } from '../../src/model/variant.ts';
import { openDatabase } from '../../src/tune/study/open-store.ts';
import type { StudyDatabase } from '../../src/tune/study/study-database.ts';
import { attempts } from '../engine/ledger-workers.ts';
import { PostgresServer, whyNoPostgres } from '../engine/postgres-server.ts';
import { SlurmSandbox, whyNoSlurm } from '../engine/slurm-sandbox.ts';
import { tuneProject } from '../workflows/tune-project.ts';

const PAWL = resolve(import.meta.dirname, '../../bin/pawl');
const why = whyNoPostgres() ?? whyNoSlurm();
/** A study with a lost node waits for leases and for the scheduler, on cores that others use. */
const PATIENCE_MS = 900_000;

const SPACE = { work: '{ values: [1, 4, 16, 64, 96], default: 64 }', kind: '[0, 3]' };
const TRIALS = 10;
const SEARCH = ['--sampler', 'exhaustive', '--confirm', '1', '--samples', '20', '--no-profile', '--json', '--quiet'];

interface Run {
  readonly child: ChildProcess;
  readonly done: Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>;
}

describe.skipIf(why !== undefined)(`a study over Slurm${why === undefined ? '' : ` (skipped: ${why})`}`, () => {
  let postgres: PostgresServer;
  let slurm: SlurmSandbox;
  let database: StudyDatabase;
  let project: string;
  const running: ChildProcess[] = [];
  const folders: string[] = [];

  beforeAll(async () => {
    postgres = await PostgresServer.start();
    slurm = await SlurmSandbox.start();
    database = await openDatabase(postgres.url);
    project = await tuneProject(SPACE);
    folders.push(project);
  });
  afterAll(async () => {
    for (const child of running) child.kill('SIGKILL');
    slurm?.stop();
    await database?.close();
    await postgres?.stop();
    await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
  });

  function pawl(cwd: string, ...args: readonly string[]): Run {
    const env = { ...slurm.env, PAWL_STORE: postgres.url };
    const child = spawn(PAWL, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    running.push(child);
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    const done = new Promise<Awaited<Run['done']>>((end) =>
      child.once('close', (code) => end({ code, stdout, stderr })),
    );
    return { child, done };
  }

  function studyOf({ code, stdout, stderr }: Awaited<Run['done']>): Study {
    if (code !== 0) throw new Error(`pawl ended with ${code}: ${stdout}${stderr}`);
    return JSON.parse(stdout) as Study;
  }

  async function latest(): Promise<string | undefined> {
    const rows = await database.query<{ id: string }>(
      'select id from pawl_studies order by created_at desc limit 1',
      [],
    );
    return rows[0]?.id;
  }

  /** Who holds trials now, by where it runs. */
  async function holders(study: string): Promise<{ worker: string; node: string; pid: number; token: string }[]> {
    const rows = await database.query<{ worker: string; token: string }>(
      `select worker, token from pawl_study_attempts where study = $1 and state = 'held' order by number`,
      [study],
    );
    return rows.map(({ worker, token }) => {
      const [node, , process] = worker.split('/');
      return { worker, node: node!, pid: Number(process!.split('-')[0]), token };
    });
  }

  async function stateOf(token: string): Promise<string> {
    const rows = await database.query<{ state: string }>(
      'select state from pawl_study_attempts where token = $1',
      [token],
    );
    return rows[0]!.state;
  }

  it(
    'comes to the answer of the local one, with a node killed and a zombie, and counts each trial once',
    async () => {
      const local = studyOf(await pawl(project, 'tune', 'tuned', ...SEARCH, '--wait', '600').done);
      const began = pawl(
        project,
        ...['tune', 'tuned', ...SEARCH, '--engine', 'slurm', '--pilots', '3', '--lease', '4'],
      );
      // Tasks 0 and 1 share a node, task 2 has one of its own.
      await until(async () => {
        const id = await latest();
        return id !== undefined && new Set((await holders(id)).map(({ node }) => node)).size >= 2;
      });
      const id = (await latest())!;
      const held = await holders(id);
      const crowded = held.find(({ node }) => node === 'gpu1')!;
      const lone = held.find(({ node }) => node !== 'gpu1')!;
      slurm.killNode(lone.node);
      process.kill(crowded.pid, 'SIGSTOP');
      let wasFenced = false;
      try {
        await until(async () => (await stateOf(crowded.token)) !== 'held');
        wasFenced = (await stateOf(crowded.token)) === 'lost';
      } finally {
        process.kill(crowded.pid, 'SIGCONT');
      }
      const study = studyOf(await began.done);

      const rows = await attempts(database, id);
      expect(rows).toHaveLength(TRIALS);
      expect(rows.every(({ told, held }) => told === 1 && held === 0)).toBe(true);
      expect(wasFenced).toBe(true);
      expect(rows.some(({ lost }) => lost > 0)).toBe(true);
      expect(new Set(study.trials.map(({ variant }) => variantText(variant))).size).toBe(TRIALS);
      expect(study.trials.every(({ outcome, device }) => outcome !== undefined && device !== undefined)).toBe(true);
      expect(study.rejections).toEqual(local.rejections);
      expect(local.result).toBe('improved');
      expect(study.result).toBe(local.result);
      expect(study.best?.variant).toEqual(local.best?.variant);
    },
    PATIENCE_MS,
  );

  async function until(isSo: () => Promise<boolean>): Promise<void> {
    while (!(await isSo())) {
      const early = running.at(-1)!;
      if (early.exitCode !== null) throw new Error(`pawl ended early with ${early.exitCode}`);
      await sleep(100);
    }
  }
});
