import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openDatabase } from '../../../src/tune/study/open-store.ts';
import { PostgresLedger } from '../../../src/tune/study/postgres-ledger.ts';
import type { StudyDatabase } from '../../../src/tune/study/study-database.ts';
import { attempts, measured, newStudy, proposal, startWorker, type LedgerWorker } from './ledger-workers.ts';
import { PostgresServer, whyNoPostgres } from '../../services/postgres-server.ts';

const why = whyNoPostgres();

describe.skipIf(why !== undefined)(`PostgresLedger${why === undefined ? '' : ` (skipped: ${why})`}`, () => {
  let server: PostgresServer;
  let database: StudyDatabase;
  beforeAll(async () => {
    server = await PostgresServer.start();
    database = await openDatabase(server.url);
  });
  afterAll(async () => {
    await database?.close();
    await server?.stop();
  });

  it('lets one variant be proposed once, whoever proposes it', async () => {
    const ledger = await newStudy(database, 'once');
    const other = new PostgresLedger(database, 'once');
    const leases = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 === 0 ? ledger : other).propose(proposal(Math.floor(index / 4)), `w${index}`),
      ),
    );
    expect(leases.filter((lease) => lease !== undefined)).toHaveLength(5);
    expect(new Set((await other.trials()).map(({ variant }) => variant['N']))).toEqual(
      new Set([0, 1, 2, 3, 4]),
    );
  });

  it('never has more trials than the budget allows', async () => {
    const ledger = await newStudy(database, 'budget', { trials: 3 });
    const all = await Promise.all(Array.from({ length: 8 }, (_, N) => ledger.propose(proposal(N), 'w')));
    expect(all.filter((lease) => lease !== undefined)).toHaveLength(3);
  });

  it('gives the same lease for the same token, so that a lost answer can be asked for again', async () => {
    const ledger = await newStudy(database, 'again');
    const first = await ledger.propose(proposal(1), 'w', 'token-1');
    expect(await ledger.propose(proposal(1), 'w', 'token-1')).toEqual(first);
    expect(await ledger.tell(first!, measured(1))).toBe(true);
    expect(await ledger.tell(first!, measured(1))).toBe(true);
    expect(await attempts(database, 'again')).toEqual([{ number: 1, told: 1, lost: 0, held: 0 }]);
  });

  it('hands the trial of a silent worker on, and refuses what that one tells later', async () => {
    const ledger = await newStudy(database, 'silent', { lease_s: 0.3 });
    const zombie = await ledger.propose(proposal(1), 'zombie');
    expect(await ledger.reclaim('other')).toBeUndefined();
    await sleep(400);
    const taken = await ledger.reclaim('other');
    expect(taken?.trial.number).toBe(1);
    expect(await ledger.renew(zombie!)).toBe(false);
    expect(await ledger.tell(zombie!, measured(99))).toBe(false);
    expect(await ledger.tell(taken!, measured(2))).toBe(true);
    expect((await ledger.trials())[0]).toMatchObject({ worker: 'other', outcome: { time_ms: 2 } });
  });

  it('goes on without a worker that was suspended in the middle of a transaction, and refuses what it tells', async () => {
    const ledger = await newStudy(database, 'suspended', { lease_s: 0.3 });
    const zombie = await ledger.propose(proposal(1), 'zombie');
    const suspended = await openDatabase(server.url);
    let wake: (() => void) | undefined;
    const asleep = new Promise<void>((resolve) => (wake = resolve));
    let tries = 0;
    const changing = suspended.transaction(async (client) => {
      tries += 1;
      await client.query(`update pawl_studies set revision = revision + 1 where id = 'suspended'`);
      await asleep;
      await client.query('select 1');
    });
    await sleep(400);
    const taken = await ledger.reclaim('other');
    expect(taken?.trial.number).toBe(1);
    wake!();
    await changing;
    expect(tries).toBe(2);
    expect(await ledger.tell(zombie!, measured(99))).toBe(false);
    await suspended.close();
  });

  it('keeps the trials of a worker that beats', async () => {
    const ledger = await newStudy(database, 'beats', { lease_s: 2 });
    const lease = await ledger.propose(proposal(1), 'alive');
    for (let beat = 0; beat < 8; beat++) {
      await ledger.beat('alive');
      expect(await ledger.reclaim('other')).toBeUndefined();
      await sleep(400);
    }
    expect(await ledger.tell(lease!, measured(1))).toBe(true);
  });

  it('frees what a worker gives back at once', async () => {
    const ledger = await newStudy(database, 'leaves');
    await ledger.join({ worker: 'gone', host: 'h', device: 'GPU-1' });
    await ledger.propose(proposal(1), 'gone');
    await ledger.leave('gone');
    expect((await ledger.reclaim('other'))?.trial.number).toBe(1);
  });

  it('gives a variant up that takes its workers with it', async () => {
    const ledger = await newStudy(database, 'poison', { lease_s: 0.05 });
    await ledger.propose(proposal(1), 'w0');
    for (let worker = 1; worker <= 6; worker++) {
      await sleep(80);
      await ledger.reclaim(`w${worker}`);
    }
    expect((await ledger.trials())[0]?.outcome).toMatchObject({ status: 'rejected', reason: 'run_failed' });
  });

  it('is of what its first worker found', async () => {
    const ledger = await newStudy(database, 'described');
    const subject = {
      id: 'described',
      kernel: 'k',
      case: 'c',
      mode: 'hot' as const,
      dims: {},
      device: { kind: 'cuda' as const, name: 'NVIDIA H200' },
      default: {},
      space: { parameters: [], constraints: [], product: 1, extent: 'one' },
      created_at: new Date(0).toISOString(),
    };
    const identity = {
      sources: 's',
      build: 'b',
      space: 'p',
      case: 'c',
      mode: 'hot' as const,
      device: 'NVIDIA H200',
    };
    await ledger.describe({ subject, identity });
    const second = await ledger.describe({ subject, identity: { ...identity, device: 'NVIDIA A100' } });
    expect(second.identity.device).toBe('NVIDIA H200');
    const [row] = await database.query<{ gpu_model: string; sources_hash: string }>(
      'select gpu_model, sources_hash from pawl_studies where id = $1',
      ['described'],
    );
    expect(row).toEqual({ gpu_model: 'NVIDIA H200', sources_hash: 's' });
  });

  it('says which study it does not have, and which store it does not reach', async () => {
    await expect(new PostgresLedger(database, 'nowhere').study()).rejects.toThrow(/no study "nowhere"/);
    await expect(
      openDatabase('postgresql://pawl@127.0.0.1:1/postgres', { patience_s: 1, firstPatience_s: 0.2 }),
    ).rejects.toThrow(/does not answer/);
  });

  it('refuses tables of a newer Pawl', async () => {
    const other = await openDatabase(server.url);
    try {
      await other.query('update pawl_study_version set version = 1000', []);
      await expect(openDatabase(server.url)).rejects.toThrow(/version 1000/);
    } finally {
      await other.query('update pawl_study_version set version = 1', []);
      await other.close();
    }
  });

  it('counts each of 300 trials once, with 8 workers, a killed one, a zombie and two restarts of the database', async () => {
    const study = 'stress';
    const ledger = await newStudy(database, study, { trials: 300, lease_s: 3 });
    const workers: LedgerWorker[] = Array.from({ length: 8 }, (_, index) =>
      startWorker({ where: server.url, study, name: `w${index}`, space: 400, sleep_ms: 120 }),
    );
    try {
      const [killed, zombie] = workers as [LedgerWorker, LedgerWorker];
      await until(async () => (await ledger.trials()).length > 20);
      killed.child.kill('SIGKILL');
      const tokens = await stopHolding(zombie, database, study);
      await server.down('now');
      await sleep(500);
      await server.up();
      await until(async () => (await ledger.trials()).length > 100);
      await server.down('crash');
      await server.up();
      // The zombie wakes when its trials are somebody else's.
      await until(async () => (await statesOf(database, tokens)).every((state) => state === 'lost'));
      zombie.child.kill('SIGCONT');
      const codes = await Promise.all(workers.slice(1).map(({ ended }) => ended));
      expect(codes).toEqual(Array.from({ length: 7 }, () => 0));
      for (const token of tokens) expect(zombie.lines.join('\n')).toContain(`refused ${token}`);
    } finally {
      for (const { child } of workers) child.kill('SIGKILL');
    }
    const rows = await attempts(database, study);
    expect(rows).toHaveLength(300);
    expect(rows.every(({ told, held }) => told === 1 && held === 0)).toBe(true);
    const trials = await ledger.trials();
    expect(trials.map(({ number }) => number)).toEqual(Array.from({ length: 300 }, (_, index) => index + 1));
    expect(new Set(trials.map(({ variant }) => variant['N'])).size).toBe(300);
    for (const { variant, outcome } of trials)
      expect(outcome).toMatchObject({ time_ms: 1 + Number(variant['N']) });
  });
});

/** Stops a worker while it holds a trial; the tokens of what it holds. */
async function stopHolding(
  { child, name }: LedgerWorker,
  database: StudyDatabase,
  study: string,
): Promise<readonly string[]> {
  const held = () =>
    database.query<{ token: string }>(
      `select token from pawl_study_attempts where study = $1 and worker = $2 and state = 'held'`,
      [study, name],
    );
  for (;;) {
    // On a busy machine a worker that is stopped again and again would get no trial before there are none left.
    await until(async () => (await held()).length > 0);
    child.kill('SIGSTOP');
    // What it sent before it stopped may still be on its way.
    await sleep(200);
    const rows = await held();
    if (rows.length > 0) return rows.map(({ token }) => token);
    child.kill('SIGCONT');
  }
}

async function statesOf(database: StudyDatabase, tokens: readonly string[]): Promise<string[]> {
  const rows = await database.query<{ state: string }>(
    'select state from pawl_study_attempts where token = any($1)',
    [tokens],
  );
  return rows.map(({ state }) => state);
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(50);
}
