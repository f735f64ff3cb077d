import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { comparisonSchema } from '../../src/model/judge/comparison.ts';
import type { Study } from '../../src/model/tune/study-report.ts';
import { variantText } from '../../src/model/problem/variant.ts';
import { openDatabase } from '../../src/tune/study/open-store.ts';
import { PostgresLedger } from '../../src/tune/study/postgres-ledger.ts';
import type { StudyDatabase } from '../../src/tune/study/study-database.ts';
import { attempts } from '../tune/study/ledger-workers.ts';
import { PostgresServer, whyNoPostgres } from '../services/postgres-server.ts';
import { SlurmSandbox, whyNoSlurm } from '../engine/slurm-sandbox.ts';
import { tuneProject } from '../workflows/tune-project.ts';

const PAWL = resolve(import.meta.dirname, '../../bin/pawl');
const why = whyNoPostgres() ?? whyNoSlurm();
/** A study with a lost node waits for leases and for the scheduler, on cores that others use. */
const PATIENCE_MS = 900_000;

/** A trial takes a second or two, so that there is time to stop a worker in the middle of one. */
const SPACE = { work: '{ values: [1, 160, 320, 640, 960], default: 640 }', kind: '[0, 3]' };
const TRIALS = 10;
const SEARCH = [
  '--sampler',
  'exhaustive',
  '--confirm',
  '1',
  '--samples',
  '20',
  '--no-profile',
  '--json',
  '--quiet',
];

/** What the latest jobs printed: why they failed is only there. */
function jobOutput(project: string): string {
  const folder = join(project, '.pawl', 'cluster');
  if (!existsSync(folder)) return '';
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.out'),
  );
  return files.map((name) => `\n${name}: ${readFileSync(join(folder, name), 'utf8')}`).join('');
}

/** A worker that holds a trial. */
interface Holder {
  readonly worker: string;
  readonly node: string;
  readonly pid: number;
  readonly token: string;
}

interface Run {
  readonly child: ChildProcess;
  readonly done: Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>;
}

describe.skipIf(why !== undefined)(
  `a study over Slurm${why === undefined ? '' : ` (skipped: ${why})`}`,
  () => {
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
    afterEach(() => {
      // What a test that failed left running would take the nodes of the next one.
      for (const child of running.splice(0)) child.kill('SIGKILL');
      slurm.run('scancel', '--user', 'root');
      slurm.revive();
    });
    afterAll(async () => {
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
      if (code !== 0) throw new Error(`pawl ended with ${code}: ${stdout}${stderr}${jobOutput(project)}`);
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
    async function holders(study: string): Promise<Holder[]> {
      const rows = await database.query<{ worker: string; token: string }>(
        `select worker, token from pawl_study_attempts where study = $1 and state = 'held' order by number`,
        [study],
      );
      return rows.map(({ worker, token }) => {
        const [node, , process] = worker.split('/');
        return { worker, node: node!, pid: Number(process!.split('-')[0]), token };
      });
    }

    /** Stops it in the middle of its trial; lets it go on where that has ended meanwhile. */
    async function isStopped({ pid, token }: Holder): Promise<boolean> {
      try {
        process.kill(pid, 'SIGSTOP');
      } catch {
        return false;
      }
      if ((await stateOf(token)) === 'held') return true;
      process.kill(pid, 'SIGCONT');
      return false;
    }

    /**
     * The pilots of this machine share its processor, and a stopped one may keep the lock of it, so that the others
     * have their hands full. On as many machines one of them would ask for work; here a bystander does.
     */
    async function isTakenOver(study: string, token: string): Promise<boolean> {
      const ledger = new PostgresLedger(database, study);
      await ledger.reclaim('bystander');
      await ledger.leave('bystander');
      return (await stateOf(token)) !== 'held';
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
        const before = await latest();
        const args = ['--engine', 'slurm', '--pilots', '3', '--lease', '4'];
        const began = pawl(project, 'tune', 'tuned', ...SEARCH, ...args);
        // Tasks 0 and 1 share a node, task 2 has one of its own.
        let crowded: Holder | undefined;
        let lone: Holder | undefined;
        await until(async () => {
          const newest = await latest();
          const held = newest === undefined || newest === before ? [] : await holders(newest);
          crowded = held.find(({ node }) => node === 'gpu1');
          lone = held.find(({ node }) => node !== 'gpu1');
          return crowded !== undefined && lone !== undefined && (await isStopped(crowded));
        });
        const id = (await latest())!;
        slurm.killNode(lone!.node);
        let wasFenced = false;
        try {
          await until(() => isTakenOver(id, crowded!.token));
          wasFenced = (await stateOf(crowded!.token)) === 'lost';
        } finally {
          process.kill(crowded!.pid, 'SIGCONT');
        }
        const study = studyOf(await began.done);

        const rows = await attempts(database, id);
        expect(rows).toHaveLength(TRIALS);
        expect(rows.filter(({ told, held }) => told !== 1 || held !== 0)).toEqual([]);
        expect(wasFenced).toBe(true);
        expect(rows.some(({ lost }) => lost > 0)).toBe(true);
        expect(new Set(study.trials.map(({ variant }) => variantText(variant))).size).toBe(TRIALS);
        expect(
          study.trials.every(({ outcome, device }) => outcome !== undefined && device !== undefined),
        ).toBe(true);
        expect(study.rejections).toEqual(local.rejections);
        expect(local.result).toBe('improved');
        expect(study.result).toBe(local.result);
        expect(study.best?.variant).toEqual(local.best?.variant);
      },
      PATIENCE_MS,
    );

    it(
      'goes through files where nodes do not reach the database, and refuses a message that comes too late',
      async () => {
        const args = [
          '--engine',
          'slurm',
          '--via',
          'files',
          '--pilots',
          '2',
          '--lease',
          '4',
          '--confirm',
          '0',
        ];
        const before = await latest();
        const began = pawl(project, 'tune', 'tuned', ...SEARCH, ...args);
        let zombie: Holder | undefined;
        await until(async () => {
          const newest = await latest();
          const held = newest === undefined || newest === before ? [] : await holders(newest);
          [zombie] = held;
          return zombie !== undefined && held.length >= 2 && (await isStopped(zombie));
        });
        const id = (await latest())!;
        try {
          await until(() => isTakenOver(id, zombie!.token));
          expect(await stateOf(zombie!.token)).toBe('lost');
        } finally {
          process.kill(zombie!.pid, 'SIGCONT');
        }
        const { code, stdout, stderr } = await began.done;
        expect(`${code} ${stderr}`).toMatch(/^2 /);
        const study = JSON.parse(stdout) as Study;
        expect(study.result).toBe('unconfirmed');
        expect(study.best?.variant).toMatchObject({ WORK: 1, KIND: 0 });
        const rows = await attempts(database, id);
        expect(rows).toHaveLength(TRIALS);
        expect(rows.filter(({ told, held }) => told !== 1 || held !== 0)).toEqual([]);
        const box = join(project, '.pawl', 'cluster', id, 'box');
        expect(readdirSync(join(box, 'read'))).toHaveLength(TRIALS);
        expect(readdirSync(join(box, 'told'))).toEqual([]);
      },
      PATIENCE_MS,
    );

    it(
      'refuses a worker that finds another device than the first one did',
      async () => {
        const id = (await latest())!;
        await database.query(
          `update pawl_studies set identity = jsonb_set(identity::jsonb, '{device}', '"NVIDIA H200"')::json where id = $1`,
          [id],
        );
        const { code, stderr } = await pawl(project, 'tune', 'worker', '--study', id, '--quiet').done;
        expect(code).toBe(64);
        expect(stderr).toMatch(/This worker does not match study .*: the device \(NVIDIA H200 →/);
      },
      PATIENCE_MS,
    );

    it(
      'goes on where it was when its controller was killed, and counts each trial once',
      async () => {
        const before = await latest();
        const args = ['--engine', 'slurm', '--pilots', '2', '--lease', '4', '--confirm', '0'];
        const killed = pawl(project, 'tune', 'tuned', ...SEARCH, ...args);
        await until(async () => {
          const id = await latest();
          return id !== undefined && id !== before && (await holders(id)).length >= 1;
        });
        const id = (await latest())!;
        killed.child.kill('SIGKILL');
        expect((await killed.done).code).toBe(null);
        const { code, stdout, stderr } = await pawl(
          project,
          'tune',
          'tuned',
          ...SEARCH,
          ...args,
          '--resume',
          id,
        ).done;
        expect(`${code} ${stderr}${code === 2 ? '' : jobOutput(project)}`).toMatch(/^2 /);
        const study = JSON.parse(stdout) as Study;
        expect(study.id).toBe(id);
        expect(study.result).toBe('unconfirmed');
        expect(study.best?.variant).toMatchObject({ WORK: 1, KIND: 0 });
        const rows = await attempts(database, id);
        expect(rows).toHaveLength(TRIALS);
        expect(rows.filter(({ told, held }) => told !== 1 || held !== 0)).toEqual([]);
        expect(await latest()).toBe(id);
      },
      PATIENCE_MS,
    );

    it(
      'measures a matrix in jobs, a lost node included, and has each case once',
      async () => {
        const matrix = await tuneProject({
          cases: '{ one: { N: 1000 }, two: { N: 2000 }, three: { N: 500 } }',
        });
        folders.push(matrix);
        const out = join(matrix, 'out.json');
        const args = [
          '--engine',
          'slurm',
          '--processes',
          '2',
          '--samples',
          '10',
          '--out',
          out,
          '--json',
          '--quiet',
        ];
        const began = pawl(matrix, 'bench', ...args);
        await until(() => Promise.resolve(/^gpu/m.test(slurm.run('squeue', '-h', '-t', 'R', '-o', '%N'))));
        slurm.killNode(slurm.run('squeue', '-h', '-t', 'R', '-o', '%N').split('\n')[0]!);
        const { code, stdout, stderr } = await began.done;
        expect(`${code} ${stderr}${code === 0 ? '' : jobOutput(matrix)}`).toBe('0 ');
        const report = JSON.parse(stdout) as { measurements: { case: string; processes: number }[] };
        expect(report.measurements.map((one) => one.case).toSorted()).toEqual(['one', 'three', 'two']);
      },
      PATIENCE_MS,
    );

    it(
      'compares two commits as the command line asks, both sides of a case in one job',
      async () => {
        const matrix = await tuneProject({ cases: '{ one: { N: 1000 }, two: { N: 2000 } }' });
        folders.push(matrix);
        const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
        for (const args of [
          ['init', '-q'],
          ['add', '.'],
          [...author, 'commit', '-qm', 'first'],
        ]) {
          execFileSync('git', args, { cwd: matrix });
        }
        const asked = ['--identical', '--threshold', '50', '--processes', '4', '--samples', '10'];
        const cluster = ['--engine', 'slurm', '--json', '--quiet'];
        const { code, stdout, stderr } = await pawl(matrix, 'compare', '--base', 'HEAD', ...asked, ...cluster)
          .done;
        // The same on both sides: maintained, or undecided where the machine is too busy.
        expect([0, 2], `${stderr}${jobOutput(matrix)}`).toContain(code);
        const compared = comparisonSchema.parse(JSON.parse(stdout));
        expect(compared.cases.map((one) => one.case).toSorted()).toEqual(['one', 'two']);
        expect(compared.thresholds.regression_pct).toBe(50);
        expect(compared.error_rates.false_alarm).toBe(0.0025);
      },
      PATIENCE_MS,
    );

    async function until(isSo: () => Promise<boolean>): Promise<void> {
      while (!(await isSo())) {
        const early = running.at(-1)!;
        if (early.exitCode !== null) {
          throw new Error(`pawl ended early with ${early.exitCode}: ${jobOutput(project)}`);
        }
        await sleep(100);
      }
    }
  },
);
