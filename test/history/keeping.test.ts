import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { sql } from 'kysely';
import Database from 'libsql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { exportLines, importLine } from '../../src/history/store/history-lines.ts';
import { migrate, STORE_VERSION } from '../../src/history/migrations/migrate.ts';
import { openDatabase } from '../../src/history/open-database.ts';
import { openStore } from '../../src/history/store/open-store.ts';
import { pendingRuns, pushRuns } from '../../src/history/store/outbox.ts';
import { packJson } from '../../src/history/pack-json.ts';
import { prune } from '../../src/history/store/retention.ts';
import type { SqlHistory } from '../../src/history/store/sql-history.ts';
import { verifyStore } from '../../src/history/store/verify-store.ts';
import { PostgresServer, whyNoPostgres } from '../services/postgres-server.ts';
import { sessionOf } from './session-of.ts';
import { commitOf, shaOf, storedRunOf, timeOf } from './stored-run-of.ts';

const RULES = { all_days: 5, quantiles: 8, quantiles_days: 50 };
const DAYS = 24;

let folder: string;
let postgres: PostgresServer | undefined;
let files = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pawl-keeping-'));
  if (whyNoPostgres() === undefined) postgres = await PostgresServer.start();
});
afterAll(async () => {
  await postgres?.stop();
  await rm(folder, { recursive: true, force: true });
});

const newFile = () => Promise.resolve(join(folder, `${++files}.db`));

async function filled(place: string): Promise<SqlHistory> {
  const store = await openStore(place);
  for (const at of [0, 40 * DAYS, 58 * DAYS]) {
    const run = storedRunOf({
      at,
      cases: ['small', 'large'],
      verdict: at === 0 ? 'regressed' : 'maintained',
    });
    await store.put(run, { commits: [commitOf(at)] });
  }
  await store.putSession(sessionOf({ at: 0 }));
  return store;
}

async function linesOf(store: SqlHistory): Promise<string[]> {
  const lines = [];
  for await (const line of exportLines(store)) lines.push(line);
  return lines;
}

describe.each([
  ['SQLite', newFile],
  ...(whyNoPostgres() === undefined ? [['PostgreSQL', () => postgres!.createDatabase()] as const] : []),
] as const)('on %s', (_, create) => {
  test('retention thins samples and never verdicts, levels or documents', async () => {
    const store = await filled(await create());
    try {
      const [key] = await store.keys();
      const before = { trend: await store.trendPoints(key!.id), runs: await store.runs() };
      const now = timeOf(60 * DAYS);
      const planned = await prune(store, RULES, { now, dryRun: true });
      expect((await verifyStore(store)).samples).toBe(3 * 2 * 2 * 5 * 20);
      const done = await prune(store, RULES, { now });
      expect(done).toEqual(planned);
      expect(done).toMatchObject({ runs: 2, samples_before: 800, samples_after: 160 });
      expect(await prune(store, RULES, { now })).toMatchObject({ runs: 0 });
      expect({ trend: await store.trendPoints(key!.id), runs: await store.runs() }).toEqual(before);
      expect(await store.allSessions()).toEqual([sessionOf({ at: 0 })]);
      expect((await verifyStore(store)).problems).toEqual([]);
    } finally {
      await store.close();
    }
  });

  test('an export goes into an empty store without loss, also of what was thinned, and twice is once', async () => {
    const store = await filled(await create());
    const other = await openStore(await create());
    try {
      await prune(store, RULES, { now: timeOf(60 * DAYS) });
      await store.putStudy(
        { id: 's', kernel: 'k', started_at: timeOf(1).toISOString(), document: { a: [1] } },
        [{ number: 1, variant: {}, phase: 'default' }],
      );
      const lines = await linesOf(store);
      for (const line of lines) await importLine(other, line, 'a line');
      for (const line of lines.filter((each) => each.startsWith('{"type":"run"'))) {
        expect(await importLine(other, line, 'a line')).toBe(false);
      }
      const facts = (all: readonly string[]) => all.map((line) => JSON.parse(line) as unknown);
      expect(facts(await linesOf(other))).toEqual(facts(lines));
      expect((await verifyStore(other)).problems).toEqual([]);
      const window = { since: timeOf(0), until: timeOf(60 * DAYS) };
      expect(await other.overview(window)).toEqual(await store.overview(window));
    } finally {
      await store.close();
      await other.close();
    }
  });

  test('an upload that was cut off goes on where it was, and what is there is not sent again', async () => {
    const local = await filled(await newFile());
    const remote = await openStore(await create());
    try {
      const stop = new AbortController();
      const first = await pushRuns(local, remote, { signal: stop.signal, onRun: () => stop.abort() });
      expect(first).toEqual({ pushed: 1, known: 0, left: 2 });
      // Stored there, and not noted here: as a machine that died in between leaves it.
      await local.write((db) => db.deleteFrom('pushed').execute());
      expect(await pushRuns(local, remote)).toEqual({ pushed: 2, known: 1, left: 0 });
      expect(await pendingRuns(local, await remote.identity())).toEqual([]);
      expect(await linesOf(remote)).toEqual(await linesOf(local));
    } finally {
      await local.close();
      await remote.close();
    }
  });

  test('data of the version before comes up whole, and goes down again whole', async () => {
    const place = await create();
    const store = await filled(place);
    const window = { since: timeOf(0), until: timeOf(60 * DAYS) };
    // Version 1 has no sessions.
    await store.write((db) => db.deleteFrom('sessions').execute());
    const before = { lines: await linesOf(store), overview: await store.overview(window) };
    await store.close();
    const { db, kind } = await openDatabase(place);
    await migrate(db, { kind, place, to: 1 });
    await expect(db.selectFrom('latest').selectAll().execute()).rejects.toThrow(/latest/);
    await db.destroy();
    const again = await openStore(place);
    try {
      expect({ lines: await linesOf(again), overview: await again.overview(window) }).toEqual(before);
    } finally {
      await again.close();
    }
  });

  test('data of version 2 comes up whole and takes sessions; going down loses only those', async () => {
    const place = await create();
    const store = await filled(place);
    const facts = (lines: readonly string[]) => lines.filter((line) => !line.startsWith('{"type":"session"'));
    const window = { since: timeOf(0), until: timeOf(60 * DAYS) };
    const before = { lines: facts(await linesOf(store)), overview: await store.overview(window) };
    await store.close();
    const { db, kind } = await openDatabase(place);
    await migrate(db, { kind, place, to: 2 });
    await expect(db.selectFrom('sessions').selectAll().execute()).rejects.toThrow(/sessions/);
    await db.destroy();
    const again = await openStore(place);
    try {
      expect({ lines: await linesOf(again), overview: await again.overview(window) }).toEqual(before);
      expect((await again.putSession(sessionOf({ at: 0 }))).stored).toBe(true);
      expect((await verifyStore(again)).problems).toEqual([]);
    } finally {
      await again.close();
    }
  });

  test("tries of sessions and files that no commit holds leave an older store's trends and summaries", async () => {
    const place = await create();
    const store = await openStore(place);
    await store.put(storedRunOf({ at: 1 }), { commits: [commitOf(1)] });
    await store.put(storedRunOf({ at: 2, level_ms: 0.07, dirty: true }), { commits: [commitOf(2)] });
    const state = { ...commitOf(3), subject: 'Pawl session 2026-01-01-a1: fewer turns' };
    await store.put(storedRunOf({ at: 3, level_ms: 0.09 }), { commits: [state] });
    await store.put(storedRunOf({ at: 4, verdict: 'incorrect' }), { commits: [commitOf(4)] });
    await store.close();
    const { db, kind } = await openDatabase(place);
    await migrate(db, { kind, place, to: 3 });
    await db.updateTable('latest').set({ level_ms: 0.09, points: 3 }).execute();
    await db.destroy();
    const again = await openStore(place);
    try {
      const [key] = await again.keys();
      const { points } = (await again.trendPoints(key!.id))!;
      expect(points.map(({ commit }) => commit)).toEqual([shaOf(1)]);
      const { keys } = await again.overview({ since: timeOf(0), until: timeOf(60 * DAYS) });
      expect(keys).toMatchObject([{ last_commit: shaOf(4), verdict: 'incorrect' }]);
      expect(keys[0]!.level_ms).toBe(points[0]!.level_ms);
      expect((await verifyStore(again)).problems).toEqual([]);
    } finally {
      await again.close();
    }
  });

  test('runs of files that no commit holds are listed as such, in an older store too', async () => {
    const place = await create();
    const store = await openStore(place);
    await store.put(storedRunOf({ at: 1 }), { commits: [commitOf(1)] });
    await store.put(storedRunOf({ at: 2, dirty: true }), { commits: [commitOf(2)] });
    const listed = async (from: typeof store) =>
      (await from.runs({}, { limit: 9 })).items.map(({ dirty }) => dirty);
    expect(await listed(store)).toEqual([true, undefined]);
    await store.close();
    const { db, kind } = await openDatabase(place);
    await migrate(db, { kind, place, to: 4 });
    await db.destroy();
    const again = await openStore(place);
    try {
      expect(await listed(again)).toEqual([true, undefined]);
    } finally {
      await again.close();
    }
  });

  test('a store of a newer Pawl is refused with a sentence, and left as it was', async () => {
    const place = await create();
    const store = await filled(place);
    await store.write((db) =>
      db
        .updateTable('store')
        .set({ version: STORE_VERSION + 1 })
        .execute(),
    );
    await store.close();
    await expect(openStore(place)).rejects.toThrow(
      `has version ${STORE_VERSION + 1}, written by a newer Pawl`,
    );
    const { db } = await openDatabase(place);
    expect(await db.selectFrom('runs').select('id').execute()).toHaveLength(3);
    await db.destroy();
  });
});

describe('prune', () => {
  test('gives the room of what it took back to the disk', async () => {
    const place = await newFile();
    const store = await openStore(place);
    try {
      const cases = Array.from({ length: 20 }, (_, index) => `case ${index}`);
      for (let at = 0; at < 12; at++) await store.put(storedRunOf({ at, cases, samples: 200 }));
      const size = async () => {
        await store.read((db) => sql`pragma wal_checkpoint(truncate)`.execute(db));
        return (await stat(place)).size;
      };
      const before = await size();
      const thinned = await prune(store, RULES, { now: timeOf(10 * DAYS) });
      const after = await size();
      // Pages are not full to the brim: half of what samples took is there again at least.
      expect(before - after).toBeGreaterThan((thinned.bytes_before - thinned.bytes_after) / 2);
      const emptied = await prune(store, RULES, { now: timeOf(60 * DAYS) });
      expect(emptied.bytes_after).toBeLessThan(emptied.bytes_before);
      expect(await size()).toBeLessThan(after);
      expect((await verifyStore(store)).problems).toEqual([]);
    } finally {
      await store.close();
    }
  });
});

describe('verify', () => {
  test('samples that somebody changed are found, with the run they are of', async () => {
    const place = await newFile();
    const store = await filled(place);
    try {
      const { items } = await store.runs();
      const file = new Database(place);
      file.exec(
        'update series set body = (select body from series where measurement_n = 2) where measurement_n = 1',
      );
      file.close();
      const { problems } = await verifyStore(store);
      expect(problems).toEqual([
        `run ${items.at(-1)!.id.slice(0, 12)}: head measurement 0 has other samples than those that were stored`,
      ]);
    } finally {
      await store.close();
    }
  });

  test('a verdict that somebody changed in a document is found', async () => {
    const place = await newFile();
    const store = await filled(place);
    try {
      await store.write((db) =>
        db
          .updateTable('documents')
          .set((eb) => ({
            body: eb.selectFrom('documents as d').select('d.body').where('d.run_n', '=', 2) as never,
          }))
          .where('run_n', '=', 1)
          .execute(),
      );
      expect((await verifyStore(store)).problems).toEqual([expect.stringContaining('something was changed')]);
    } finally {
      await store.close();
    }
  });

  test('a session that somebody changed is found', async () => {
    const place = await newFile();
    const store = await filled(place);
    try {
      const { id } = sessionOf({ at: 0 });
      await store.write((db) =>
        db
          .updateTable('sessions')
          .set({ body: packJson(sessionOf({ at: 0, how: 'missed' })) })
          .execute(),
      );
      expect((await verifyStore(store)).problems).toEqual([
        `session ${id}: its contents are not what was stored`,
      ]);
      await store.write((db) =>
        db
          .updateTable('sessions')
          .set({ body: new Uint8Array([1, 2]) })
          .execute(),
      );
      expect((await verifyStore(store)).problems).toEqual([expect.stringContaining('cannot be read')]);
    } finally {
      await store.close();
    }
  });

  test('a file that is no store is refused with a sentence', async () => {
    const place = join(folder, 'no-store.db');
    await writeFile(
      place,
      'This is a text, and it is long enough to be looked at as a database would be.'.repeat(20),
    );
    await expect(openStore(place)).rejects.toThrow(/not a valid SQLite file/);
    expect(await readFile(place, 'utf8')).toContain('This is a text');
  });
});

test('a store that does not answer is said without its password', async () => {
  const opening = openStore('postgres://me:secret@127.0.0.1:1/pawl', { patience_ms: 0 });
  await expect(opening).rejects.toThrow('postgres://127.0.0.1:1/pawl does not answer');
  await expect(opening).rejects.not.toThrow('secret');
});
