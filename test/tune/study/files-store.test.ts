import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { StudyInbox } from '../../../src/tune/study/study-inbox.ts';
import { FilesStore } from '../../../src/tune/study/files-store.ts';
import { openDatabase } from '../../../src/tune/study/open-store.ts';
import type { StudyDatabase } from '../../../src/tune/study/study-database.ts';
import { temporaryFolder } from '../../device/temporary-folder.ts';
import { attempts, measured, newStudy, proposal, startWorker } from './ledger-workers.ts';
import { PostgresServer, whyNoPostgres } from '../../services/postgres-server.ts';

const why = whyNoPostgres();

describe.skipIf(why !== undefined)(`message files${why === undefined ? '' : ` (skipped: ${why})`}`, () => {
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

  /** Somebody who answers messages until told to stop. */
  function attend(inbox: StudyInbox): () => Promise<void> {
    const ending = new AbortController();
    const work = (async () => {
      while (!ending.signal.aborted) {
        await inbox.turn();
        await sleep(10);
      }
    })();
    return async () => {
      ending.abort();
      await work;
    };
  }

  it('refuses an outcome that comes after its lease was lost', async () => {
    const folder = await temporaryFolder();
    const ledger = await newStudy(database, 'late', { lease_s: 0.5 });
    const stop = attend(new StudyInbox(folder, ledger));
    try {
      const zombie = new FilesStore(folder, { patience_s: 60 });
      const other = new FilesStore(folder, { patience_s: 60 });
      const lease = await zombie.propose(proposal(1), 'zombie');
      await sleep(700);
      const taken = await other.reclaim('other');
      expect(taken?.trial.number).toBe(1);
      await other.tell(taken!, measured(2));
      await zombie.tell(lease!, measured(99));
      while (readdirSync(join(folder, 'told')).length > 0) await sleep(20);
      expect(readdirSync(join(folder, 'refused'))).toEqual([`${lease!.token}.json`]);
      expect(readdirSync(join(folder, 'read'))).toEqual([`${taken!.token}.json`]);
      expect((await ledger.trials())[0]?.outcome).toMatchObject({ time_ms: 2 });
    } finally {
      await stop();
    }
  });

  it('takes what was refused for what it is: a trial that somebody else has not told yet', async () => {
    const folder = await temporaryFolder();
    const ledger = await newStudy(database, 'revived', { lease_s: 0.5 });
    const stop = attend(new StudyInbox(folder, ledger));
    try {
      const zombie = new FilesStore(folder, { patience_s: 60 });
      const other = new FilesStore(folder, { patience_s: 60 });
      const lost = await zombie.propose(proposal(1), 'zombie');
      await sleep(700);
      const taken = await other.reclaim('other');
      await zombie.tell(lost!, measured(99));
      await zombie.settled();
      expect((await zombie.trials()).map(({ outcome }) => outcome)).toEqual([undefined]);
      await other.tell(taken!, measured(2));
      await other.settled();
      expect((await other.trials())[0]?.outcome).toMatchObject({ time_ms: 2 });
    } finally {
      await stop();
    }
  });

  it('answers a message again with the same lease when whoever answered it died before it was taken away', async () => {
    const folder = await temporaryFolder();
    const ledger = await newStudy(database, 'twice');
    const store = new FilesStore(folder, { patience_s: 60 });
    const asked = store.propose(proposal(1), 'w');
    while (!existsSync(join(folder, 'requests'))) await sleep(5);
    let name: string | undefined;
    while (name === undefined) {
      name = readdirSync(join(folder, 'requests')).find((each) => each.endsWith('.json'));
      await sleep(5);
    }
    const token = name.slice(0, -'.json'.length);
    // The one who died had done this much.
    await ledger.propose(proposal(1), 'w', token);
    const stop = attend(new StudyInbox(folder, ledger));
    try {
      expect((await asked)?.token).toBe(token);
      expect(await attempts(database, 'twice')).toEqual([{ number: 1, told: 0, lost: 0, held: 1 }]);
    } finally {
      await stop();
    }
  });

  it('says that nobody reads its messages', async () => {
    const store = new FilesStore(await temporaryFolder(), { patience_s: 0.1 });
    await expect(store.study()).rejects.toThrow(/No worker reads/);
  });

  it('passes on what a store refuses', async () => {
    const folder = await temporaryFolder();
    const stop = attend(new StudyInbox(folder, await newStudy(database, 'known')));
    try {
      await database.query('delete from pawl_studies where id = $1', ['known']);
      await expect(new FilesStore(folder, { patience_s: 60 }).study()).rejects.toThrow(/no study "known"/);
    } finally {
      await stop();
    }
  });

  it('counts each of 40 trials once, with 3 workers of which one is killed', async () => {
    const folder = await temporaryFolder();
    const ledger = await newStudy(database, 'files', { trials: 40, lease_s: 2 });
    const stop = attend(new StudyInbox(folder, ledger));
    const workers = ['a', 'b', 'c'].map((name) =>
      startWorker({ where: folder, study: 'files', name, space: 60, sleep_ms: 50 }),
    );
    try {
      while ((await ledger.trials()).length < 8) await sleep(50);
      workers[0]!.child.kill('SIGKILL');
      expect(await Promise.all(workers.slice(1).map(({ ended }) => ended))).toEqual([0, 0]);
    } finally {
      for (const { child } of workers) child.kill('SIGKILL');
      await stop();
    }
    const rows = await attempts(database, 'files');
    expect(rows).toHaveLength(40);
    expect(rows.every(({ told, held }) => told === 1 && held === 0)).toBe(true);
  });
});
