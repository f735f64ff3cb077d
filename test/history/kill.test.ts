import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { openStore } from '../../src/history/store/open-store.ts';
import { verifyStore } from '../../src/history/store/verify-store.ts';
import { Xoshiro128 } from '../../src/stats/index.ts';
import { buildWriter } from './build-writer.ts';
import { killWriters } from './kill-writers.ts';
import { PostgresServer, whyNoPostgres } from '../services/postgres-server.ts';
import { storedRunOf } from './stored-run-of.ts';

/** `bench/history-kill.ts` does 200 on each store. */
const KILLS = 20;

let folder: string;
let program: Awaited<ReturnType<typeof buildWriter>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pawl-kill-'));
  program = await buildWriter();
});
afterAll(async () => {
  await program?.remove();
  await rm(folder, { recursive: true, force: true });
});

async function expectWhole(place: string, acknowledged: readonly string[]): Promise<void> {
  const store = await openStore(place);
  try {
    const known = await store.known(acknowledged);
    expect(acknowledged.filter((id) => !known.has(id))).toEqual([]);
    expect((await verifyStore(store)).problems).toEqual([]);
  } finally {
    await store.close();
  }
}

describe('SQLite', () => {
  test('kill -9 during writes loses nothing that was acknowledged and leaves nothing half-written', async () => {
    const place = join(folder, 'killed.db');
    const random = new Xoshiro128(8);
    const acknowledged = await killWriters(program, place, { kills: KILLS, random: () => random.nextOpen() });
    expect(acknowledged.length).toBeGreaterThan(0);
    await expectWhole(place, acknowledged);
  }, 600_000);

  test('two processes that write the same store at once lose nothing', async () => {
    const place = join(folder, 'shared.db');
    const writers = [0, 1].map((index) => program.start(place, 1000 * index, 15));
    expect(await Promise.all(writers.map(({ ended }) => ended))).toEqual([0, 0]);
    const acknowledged = writers.flatMap((writer) => writer.acknowledged);
    expect(acknowledged).toHaveLength(30);
    await expectWhole(place, acknowledged);
  }, 600_000);

  test('a disk that fills up loses nothing that was acknowledged, and the run that did not fit is said', async () => {
    const place = join(folder, 'full.db');
    // A limit on the size of files stands for the disk's: the write that crosses it fails as one without room does.
    const limited = ['bash', '-c', 'ulimit -f 600; trap "" XFSZ; exec "$@"', 'bash'];
    const writer = program.start(place, 0, 100_000, limited);
    expect(await writer.ended).not.toBe(0);
    expect(writer.errors()).toMatch(/full|cannot be written/);
    expect(writer.acknowledged.length).toBeGreaterThan(0);
    await expectWhole(place, writer.acknowledged);
  }, 600_000);
});

describe.skipIf(whyNoPostgres() !== undefined)('PostgreSQL', () => {
  let postgres: PostgresServer;
  beforeAll(async () => {
    postgres = await PostgresServer.start();
  });
  afterAll(() => postgres?.stop());

  test('kill -9 during writes loses nothing that was acknowledged and leaves nothing half-written', async () => {
    const place = await postgres.createDatabase();
    const random = new Xoshiro128(9);
    const acknowledged = await killWriters(program, place, { kills: KILLS, random: () => random.nextOpen() });
    expect(acknowledged.length).toBeGreaterThan(0);
    await expectWhole(place, acknowledged);
  }, 600_000);

  test('a server that is restarted under load, twice without warning, loses nothing: writers go on', async () => {
    const place = await postgres.createDatabase();
    const writers = [0, 1].map((index) => program.start(place, 1000 * index, 60));
    await Promise.all(writers.map(({ ready }) => ready));
    for (const how of ['crash', 'now', 'crash'] as const) {
      await new Promise((resolve) => setTimeout(resolve, 300));
      await postgres.restart(how);
    }
    const codes = await Promise.all(writers.map(({ ended }) => ended));
    expect({ codes, errors: writers.map((writer) => writer.errors()) }).toEqual({
      codes: [0, 0],
      errors: ['', ''],
    });
    const acknowledged = writers.flatMap((writer) => writer.acknowledged);
    expect(acknowledged).toHaveLength(120);
    await expectWhole(place, acknowledged);
  }, 600_000);

  test('two servers of one store see each other', async () => {
    const place = await postgres.createDatabase();
    const one = await openStore(place);
    const other = await openStore(place);
    try {
      const { id } = await one.put(storedRunOf({ at: 1 }));
      expect((await other.run(id))!.run.id).toBe(id);
      expect((await other.put(storedRunOf({ at: 1 }))).stored).toBe(false);
    } finally {
      await one.close();
      await other.close();
    }
  });
});
