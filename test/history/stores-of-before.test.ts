/**
 * test/fixtures/history was made by Pawl 0.1.0, before histories and shared studies had one migrator: a history as a
 * SQLite file of version 4, the same brought down to version 2, and a dump of a PostgreSQL with the same history and a
 * study of two trials; store.jsonl is what `pawl history export` said of them.
 */
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { exportLines } from '../../src/history/store/history-lines.ts';
import { STORE_VERSION } from '../../src/history/migrations/migrate.ts';
import { openStore } from '../../src/history/store/open-store.ts';
import type { SqlHistory } from '../../src/history/store/sql-history.ts';
import { verifyStore } from '../../src/history/store/verify-store.ts';
import { openDatabase } from '../../src/tune/study/open-store.ts';
import { PostgresLedger } from '../../src/tune/study/postgres-ledger.ts';
import { temporaryFolder } from '../device/temporary-folder.ts';
import { PostgresServer, whyNoPostgres } from '../services/postgres-server.ts';

const fixture = (name: string) =>
  gunzipSync(readFileSync(resolve(import.meta.dirname, '../fixtures/history', `${name}.gz`)));
const LINES = fixture('store.jsonl').toString('utf8').trimEnd().split('\n');

async function fileOf(name: string): Promise<string> {
  const path = join(await temporaryFolder(), 'history.db');
  await writeFile(path, fixture(name));
  return path;
}

async function contentsOf(store: SqlHistory) {
  const lines = [];
  for await (const line of exportLines(store)) lines.push(line);
  const { version } = await store.read((db) =>
    db.selectFrom('store').select('version').executeTakeFirstOrThrow(),
  );
  return { lines, version, problems: (await verifyStore(store)).problems };
}

async function contentsAt(place: string) {
  const store = await openStore(place);
  try {
    return { ...(await contentsOf(store)), id: await store.identity() };
  } finally {
    await store.close();
  }
}

const withoutSessions = (lines: readonly string[]) =>
  lines.filter((line) => !line.startsWith('{"type":"session"'));

describe('a history file of before', () => {
  it('of this version is opened as it is', async () => {
    const path = await fileOf('store-v4.db');
    const first = await contentsAt(path);
    expect(first).toMatchObject({ lines: LINES, version: STORE_VERSION, problems: [] });
    expect(await contentsAt(path)).toEqual(first);
  });

  it('of an earlier version comes up whole, also when many open it at once', async () => {
    const path = await fileOf('store-v2.db');
    const found = await Promise.all(Array.from({ length: 8 }, () => contentsAt(path)));
    for (const one of found) {
      expect(one).toMatchObject({ lines: withoutSessions(LINES), version: STORE_VERSION, problems: [] });
    }
  });
});

it('a new history file that many open at once is one store', async () => {
  const path = join(await temporaryFolder(), 'history.db');
  const found = await Promise.all(Array.from({ length: 8 }, () => contentsAt(path)));
  expect(new Set(found.map(({ id }) => id)).size).toBe(1);
});

const why = whyNoPostgres();
describe.skipIf(why !== undefined)(`PostgreSQL${why === undefined ? '' : ` (skipped: ${why})`}`, () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.start();
  });
  afterAll(async () => {
    await server?.stop();
  });

  async function restored(): Promise<string> {
    const url = await server.createDatabase();
    const client = new Client(url);
    await client.connect();
    try {
      // Lines with a backslash are for psql.
      await client.query(
        fixture('postgres-v4.sql')
          .toString('utf8')
          .replaceAll(/^\\.*$/gm, ''),
      );
    } finally {
      await client.end();
    }
    return url;
  }

  it('of before is opened as it is: the history, and the study beside it', async () => {
    const url = await restored();
    expect(await contentsAt(url)).toMatchObject({ lines: LINES, version: STORE_VERSION, problems: [] });
    const database = await openDatabase(url);
    try {
      const ledger = new PostgresLedger(database, 'old');
      expect(await ledger.trials()).toMatchObject([
        { number: 1, variant: { N: 1 }, outcome: { status: 'measured', time_ms: 1 } },
        { number: 2, variant: { N: 2 } },
      ]);
    } finally {
      await database.close();
    }
  });

  it('that is new and that many open at once has one history and one set of study tables', async () => {
    const url = await server.createDatabase();
    const found = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const [{ id }, database] = await Promise.all([contentsAt(url), openDatabase(url)]);
        await database.close();
        return id;
      }),
    );
    expect(new Set(found).size).toBe(1);
  });
});
