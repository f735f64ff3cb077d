import { existsSync } from 'node:fs';
import { copyFile, mkdir, rename, rm } from 'node:fs/promises';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { PostgresServer, whyNoPostgres } from '../services/postgres-server.ts';
import { commitOf, storedRunOf } from '../history/stored-run-of.ts';
import { ServeRig, type Answer } from './serve-rig.ts';

/** Asks until the answer has this status: stores take their time to go and to come. */
async function until(status: number | readonly number[], ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await ask();
    if ([status].flat().includes(answer.status)) return answer;
    expect([200, 201, 503]).toContain(answer.status);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const counted = (answer: Answer): number => (answer.json as { items: unknown[] }).items.length;

describe('a server whose SQLite file goes away', () => {
  it('says so, names no path, and answers again when it is back', async () => {
    const rig = await ServeRig.start();
    await rig.upload({ run: storedRunOf({ at: 1 }) });
    const keys = () => rig.ask('/api/v1/keys');
    expect(counted(await keys())).toBe(1);
    await rename(rig.store, `${rig.store}.away`);
    const away = await until(503, keys);
    expect(away.headers['retry-after']).toBe('5');
    expect(away.text).not.toContain(rig.folder);
    expect((await rig.ask('/readyz')).status).toBe(503);
    expect((await rig.ask('/healthz')).status).toBe(200);
    expect((await rig.upload({ run: storedRunOf({ at: 2 }) })).status).toBe(503);
    expect((await rig.ask('/metrics')).text).toMatch(/^pawl_store_up 0$/m);
    await rename(`${rig.store}.away`, rig.store);
    expect(counted(await until(200, keys))).toBe(1);
    expect((await rig.upload({ run: storedRunOf({ at: 2 }) })).status).toBe(201);
    expect(rig.events.map(({ event }) => event)).toEqual(['store-away', 'store-back']);
    await rig.stop();
  });

  it('makes no empty file in its place, however many ask at once', async () => {
    const rig = await ServeRig.start();
    await rig.upload({ run: storedRunOf({ at: 1 }) });
    expect(counted(await rig.ask('/api/v1/keys'))).toBe(1);
    for (const end of ['', '-wal', '-shm']) await rm(`${rig.store}${end}`, { force: true });
    const asked: number[] = [];
    for (let round = 0; round < 40; round++) {
      const answers = await Promise.all(
        ['keys', 'runs', 'overview', 'devices'].map((name) => rig.ask(`/api/v1/${name}`)),
      );
      asked.push(...answers.map(({ status }) => status));
      await new Promise((resolve) => setTimeout(resolve, 40));
    }
    expect(existsSync(rig.store)).toBe(false);
    // Until it is looked for, the file that is open answers.
    expect(new Set(asked)).toEqual(new Set([200, 503]));
    expect(asked.slice(-8)).toEqual(Array.from({ length: 8 }, () => 503));
    await rig.stop();
  });

  it('answers from the file that took its place', async () => {
    const rig = await ServeRig.start();
    await rig.stop();
    const empty = `${rig.store}.empty`;
    await copyFile(rig.store, empty);
    const second = await ServeRig.start({ store: rig.store });
    await second.upload({ run: storedRunOf({ at: 1 }) });
    expect(counted(await second.ask('/api/v1/keys'))).toBe(1);
    for (const end of ['', '-wal', '-shm']) await rm(`${rig.store}${end}`, { force: true });
    await rename(empty, rig.store);
    while (counted(await until(200, () => second.ask('/api/v1/keys'))) !== 0) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await second.stop();
  });

  it('does not start on what is no store', async () => {
    const rig = await ServeRig.start();
    await rig.stop();
    const folder = `${rig.store}.folder`;
    await mkdir(folder);
    await expect(ServeRig.start({ store: folder })).rejects.toThrow();
  });
});

describe('two servers on one SQLite file', () => {
  it('answer alike, and keep what either is sent once', async () => {
    const one = await ServeRig.start();
    const other = await ServeRig.start({ store: one.store });
    const runs = Array.from({ length: 20 }, (_, at) => ({
      run: storedRunOf({ at }),
      commits: [commitOf(at)],
    }));
    const answers: number[] = [];
    for (const run of runs) {
      answers.push(...(await Promise.all([one.upload(run), other.upload(run)])).map(({ status }) => status));
    }
    expect(answers.filter((status) => status === 201)).toHaveLength(20);
    expect(answers.filter((status) => status === 200)).toHaveLength(20);
    const [first, second] = await Promise.all([one.ask('/api/v1/runs'), other.ask('/api/v1/runs')]);
    expect(first.text).toBe(second.text);
    expect(first.headers.etag).toBe(second.headers.etag);
    expect(counted(first)).toBe(20);
    await one.stop();
    expect((await other.ask('/readyz')).status).toBe(200);
    await other.stop();
  });
});

describe('a server whose database is not there yet', () => {
  it('starts, and says that it is not ready', async () => {
    const rig = await ServeRig.start({ store: 'postgres://pawl@127.0.0.1:1/none' });
    expect((await rig.ask('/healthz')).status).toBe(200);
    expect((await rig.ask('/readyz')).status).toBe(503);
    const { status, text } = await rig.ask('/api/v1/overview');
    expect(status).toBe(503);
    expect(text).not.toContain('127.0.0.1');
    await rig.stop();
  });
});

describe.skipIf(whyNoPostgres() !== undefined)('servers on PostgreSQL', () => {
  let postgres: PostgresServer;
  beforeAll(async () => {
    postgres = await PostgresServer.start();
  });
  afterAll(() => postgres.stop());

  it('lose nothing that they acknowledged when it is killed and restarted under them', async () => {
    const store = await postgres.createDatabase();
    const rigs = [await ServeRig.start({ store }), await ServeRig.start({ store })];
    const kept = new Set<string>();
    const over = new AbortController();
    const upload = async (rig: ServeRig, first: number): Promise<void> => {
      for (let at = first; !over.signal.aborted; at += 2) {
        // 200: it was stored, and the answer lost.
        const { json } = await until([200, 201], () => rig.upload({ run: storedRunOf({ at }) }));
        kept.add((json as { id: string }).id);
      }
    };
    const uploading = Promise.all(rigs.map((rig, index) => upload(rig, index)));
    const some = async (count: number): Promise<void> => {
      while (kept.size < count) await new Promise((resolve) => setTimeout(resolve, 20));
    };
    await some(4);
    await postgres.restart('crash');
    await some(kept.size + 4);
    over.abort();
    await uploading;
    const found = new Set<string>();
    let cursor = '';
    do {
      const { json } = await until(200, () => rigs[1]!.ask(`/api/v1/runs?limit=50${cursor}`));
      const { items, next } = json as { items: { id: string }[]; next?: string };
      for (const { id } of items) found.add(id);
      cursor = next === undefined ? '' : `&cursor=${next}`;
    } while (cursor !== '');
    expect(found).toEqual(kept);
    expect(await Promise.all(rigs.map(async (rig) => (await rig.ask('/readyz')).status))).toEqual([200, 200]);
    for (const rig of rigs) await rig.stop();
  });
});
