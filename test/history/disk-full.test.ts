import { execFile, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { openStore } from '../../src/history/store/open-store.ts';
import { pendingRuns, pushRuns } from '../../src/history/store/outbox.ts';
import { prune } from '../../src/history/store/retention.ts';
import type { SqlHistory } from '../../src/history/store/sql-history.ts';
import { verifyStore } from '../../src/history/store/verify-store.ts';
import { PawlError } from '../../src/model/pawl-error.ts';
import { fixtureProject } from '../e2e/pawl-cli.ts';
import { PostgresServer, whyNoPostgres } from '../services/postgres-server.ts';
import { buildWriter } from './build-writer.ts';
import { bundleProgram } from './bundle-program.ts';
import { commitOf, storedRunOf, timeOf } from './stored-run-of.ts';

const CASES = ['a', 'b', 'c', 'd'];
const DAYS = 24;

let folder: string;
let files = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pawl-full-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const newFile = () => join(folder, `${++files}.db`);

/** SQLite answers as on a full disk once its file has so many pages more; undefined: the disk has room. */
async function limit(store: SqlHistory, more: number | undefined): Promise<void> {
  const { rows } = await store.read((db) => sql<{ page_count: number }>`pragma page_count`.execute(db));
  const most = more === undefined ? 2 ** 30 : rows[0]!.page_count + more;
  await store.read((db) => sql`pragma max_page_count = ${sql.lit(most)}`.execute(db));
}

const put = (store: SqlHistory, at: number) =>
  store.put(storedRunOf({ at, cases: CASES, samples: 200 }), { commits: [commitOf(at)] });

/** Stores runs until one does not fit. */
async function fill(store: SqlHistory, first = 0) {
  const acknowledged: string[] = [];
  for (let at = first; ; at++) {
    try {
      acknowledged.push((await put(store, at)).id);
    } catch (error) {
      return { acknowledged, error, next: at };
    }
  }
}

async function expectWhole(store: SqlHistory, acknowledged: readonly string[]): Promise<void> {
  const known = await store.known(acknowledged);
  expect(acknowledged.filter((id) => !known.has(id))).toEqual([]);
  const { runs, problems } = await verifyStore(store);
  expect({ runs, problems }).toEqual({ runs: acknowledged.length, problems: [] });
}

describe('a SQLite file that has no room', () => {
  test('refuses a run whole and says what to do, keeps all that it acknowledged, and takes the run when there is room', async () => {
    const store = await openStore(newFile());
    try {
      await limit(store, 200);
      const { acknowledged, error, next } = await fill(store);
      expect(acknowledged.length).toBeGreaterThan(2);
      expect(error).toBeInstanceOf(PawlError);
      expect(error).toMatchObject({
        kind: 'unavailable',
        message: expect.stringMatching(/is full: nothing was written/),
        hint: expect.stringContaining('pawl history prune'),
      });
      await expectWhole(store, acknowledged);
      // It is not the connection that is broken.
      await expect(put(store, next)).rejects.toThrow(/is full/);
      await limit(store, undefined);
      const { id, stored } = await put(store, next);
      expect(stored).toBe(true);
      await expectWhole(store, [...acknowledged, id]);
    } finally {
      await store.close();
    }
  });

  test('has room again after thinning, as its message says', async () => {
    const store = await openStore(newFile());
    try {
      await limit(store, 200);
      const { acknowledged, next } = await fill(store);
      const rules = { all_days: 5, quantiles: 8, quantiles_days: 50 };
      const { runs } = await prune(store, rules, { now: timeOf(next + 10 * DAYS) });
      expect(runs).toBe(acknowledged.length);
      const { id } = await put(store, next);
      await expectWhole(store, [...acknowledged, id]);
    } finally {
      await store.close();
    }
  });

  test('leaves what it cannot take with the one who brings it, who brings it when there is room', async () => {
    const local = await openStore(newFile());
    const remote = await openStore(newFile());
    try {
      const kept: string[] = [];
      for (let at = 0; at < 12; at++) kept.push((await put(local, at)).id);
      await limit(remote, 25);
      await expect(pushRuns(local, remote)).rejects.toThrow(/is full/);
      const there = [...(await remote.known(kept))];
      expect(there.length).toBeGreaterThan(0);
      expect(there.length).toBeLessThan(kept.length);
      await expectWhole(remote, there);
      await expectWhole(local, kept);
      expect(await pendingRuns(local, await remote.identity())).toEqual(kept.slice(there.length));
      await limit(remote, undefined);
      expect(await pushRuns(local, remote)).toEqual({
        pushed: kept.length - there.length,
        known: 0,
        left: 0,
      });
      await expectWhole(remote, kept);
    } finally {
      await local.close();
      await remote.close();
    }
  });
});

/** A disk of so many kilobytes for one command and those that it starts, without being root. */
function onSmallDisk(disk: string, size_kb: number): readonly string[] {
  const script = `mount -t tmpfs -o size=${size_kb}k none "$1" && shift && exec "$@"`;
  return ['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c', script, 'sh', disk];
}

function whyNoSmallDisk(): string | undefined {
  const [program, ...args] = [...onSmallDisk(tmpdir(), 64), 'true'];
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  return status === 0 ? undefined : `no file system can be mounted here: ${stderr}`;
}

const noDisk = whyNoSmallDisk();
if (noDisk !== undefined) console.warn(`skipped: ${noDisk}`);

describe.skipIf(noDisk !== undefined)('a disk that is full', () => {
  let disk: string;
  let kept: string;
  beforeAll(async () => {
    disk = join(folder, 'disk');
    kept = join(folder, 'kept');
    await mkdir(disk);
    await mkdir(kept);
  });

  test('loses nothing that was acknowledged, and the run that did not fit is said', async () => {
    const program = await buildWriter();
    try {
      // The disk goes with its last process, so what is on it is copied away before.
      const then = ['sh', '-c', 'kept="$1"; shift; "$@"; code=$?; cp "$3"* "$kept"; exit $code', 'sh', kept];
      const wrapper = [...onSmallDisk(disk, 3000), ...then];
      const writer = program.start(join(disk, 'history.db'), 0, 100_000, wrapper);
      expect(await writer.ended).not.toBe(0);
      expect(writer.errors()).toMatch(/is full|cannot be written/);
      expect(writer.acknowledged.length).toBeGreaterThan(0);
      const store = await openStore(join(kept, 'history.db'));
      await expectWhole(store, writer.acknowledged);
      await store.close();
    } finally {
      await program.remove();
    }
  });

  describe('under .pawl', () => {
    let recorder: Awaited<ReturnType<typeof bundleProgram>>;
    let postgres: PostgresServer | undefined;
    beforeAll(async () => {
      recorder = await bundleProgram('record-process.ts');
      if (whyNoPostgres() === undefined) postgres = await PostgresServer.start();
    });
    afterAll(async () => {
      await recorder?.remove();
      await postgres?.stop();
    });

    /** Records run 1, fills the disk to its last byte, records run 2, makes room, and records run 3. */
    async function recordOnFullDisk(
      store: string,
    ): Promise<{ readonly told: string; readonly file: string }> {
      const project = await fixtureProject(['right']);
      const file = join(await mkdtemp(join(kept, 'run-')), 'history.db');
      const own = join(project, '.pawl');
      await mkdir(own, { recursive: true });
      const record = `"${process.execPath}" "${recorder.file}" "${project}"`;
      const script = [
        `${record} 1`,
        `cat /dev/zero > "${own}/filler" 2> /dev/null`,
        `${record} 2`,
        `rm "${own}/filler"`,
        `${record} 3`,
        `cp "${own}"/history.db* "${join(file, '..')}"`,
      ].join('\n');
      const [program, ...args] = [...onSmallDisk(own, 8000), 'sh', '-c', script];
      const env = { ...process.env, PAWL_STORE: store };
      const told = await new Promise<string>((resolve, reject) => {
        execFile(program, args, { env }, (error, stdout) => (error ? reject(error) : resolve(stdout)));
      });
      return { told, file };
    }

    async function runsIn(place: string): Promise<(string | undefined)[]> {
      const store = await openStore(place);
      try {
        expect((await verifyStore(store)).problems).toEqual([]);
        return (await store.runs()).items.map(({ started_at }) => started_at).sort();
      } finally {
        await store.close();
      }
    }

    const startOf = (at: number) => storedRunOf({ at }).started_at;

    test('fails no run: what was not kept is said, with the way to bring it later, and the next run is kept', async () => {
      const { told, file } = await recordOnFullDisk('');
      expect(told).toMatch(/^1: done$/m);
      expect(told).toMatch(
        /^2: history: .*(?:is full|cannot be written).*pawl history import \.pawl\/runs$/m,
      );
      expect(told).toMatch(/^2: done$/m);
      expect(told).not.toMatch(/^3: history/m);
      expect(await runsIn(file)).toEqual([startOf(1), startOf(3)]);
    });

    test.skipIf(whyNoPostgres() !== undefined)(
      "keeps no run from the team's store, which gets it without the outbox",
      async () => {
        const store = await postgres!.createDatabase();
        const { told, file } = await recordOnFullDisk(store);
        expect(told).toMatch(/^2: history: .*(?:is full|cannot be written)/m);
        expect(told).toMatch(/^2: history: the run is only in the team's store/m);
        expect(await runsIn(file)).toEqual([startOf(1), startOf(3)]);
        expect(await runsIn(store)).toEqual([startOf(1), startOf(2), startOf(3)]);
      },
    );
  });
});
