import { sql } from 'kysely';

import { defined } from '../../model/defined.ts';
import type { KeptNote } from '../../model/history/note.ts';
import type { CommitFacts } from '../../model/history/stored-run.ts';
import type { Db } from '../database.ts';
import type { History, RunFilter, StoredContents } from '../history.ts';
import { inChunks } from '../in-chunks.ts';
import type { OpenedDatabase } from '../open-database.ts';
import { putCommits } from '../put-commits.ts';
import type { PreparedRun } from '../prepare-run.ts';
import { knownChanges, rememberChanges } from '../queries/changes.ts';
import { costs, devices } from '../queries/fleet.ts';
import { findKeys, findLine } from '../queries/keys.ts';
import { findNotes, keptNotes, noteOf, putNote, removeNote } from '../queries/notes.ts';
import { findProfile, findProfiles, putProfile } from '../queries/profiles.ts';
import { findCommits } from '../queries/commits.ts';
import { countRuns, findRuns } from '../queries/runs.ts';
import { findStudies, findStudy, putStudy } from '../queries/studies.ts';
import { trendPoints } from '../queries/trend-points.ts';
import { retryPassing, storeFailure } from '../store-failure.ts';

/** Loaded when they are asked for: what they read is checked by schemas, and building those takes longer than a query. */
const runDetail = () => import('../queries/run-detail.ts');
const alertQueries = () => import('../queries/alerts.ts');
const sessionQueries = () => import('../queries/sessions.ts');

/** What a history is beside what it is asked: other stores, and what keeps house in one, need more of it. */
export type SqlHistory = ReturnType<typeof sqlHistory>;

/** History in SQL, on either engine. */
export function sqlHistory({ db: database, kind, place }: OpenedDatabase, patience_ms: number) {
  const attempt = async <Result>(action: () => Promise<Result>): Promise<Result> => {
    try {
      return await retryPassing(action, patience_ms);
    } catch (error) {
      throw storeFailure(error, place);
    }
  };
  const read = <Result>(query: (db: Db) => Promise<Result>): Promise<Result> =>
    attempt(() => query(database));
  const write = <Result>(action: (db: Db) => Promise<Result>): Promise<Result> =>
    attempt(() => database.transaction().execute(action));

  const putPrepared = async (prepared: PreparedRun, commits: readonly CommitFacts[] = []) => {
    const { putRun } = await import('../put-run.ts');
    const stored = await write((db) => putRun(db, prepared, { commits }));
    return { id: prepared.id, stored };
  };

  const history: History = {
    place,
    kind,

    put: async (run, { commits } = {}) =>
      putPrepared((await import('../prepare-run.ts')).prepareRun(run), commits),
    putCommits: (commits) => write((db) => putCommits(db, commits)),
    putProfile: (report, files = {}) => write((db) => putProfile(db, report, files, new Date())),
    putStudy: (study, trials) => write((db) => putStudy(db, study, trials)),
    async putSession(session) {
      const { putSession } = await sessionQueries();
      return write((db) => putSession(db, session));
    },
    known: (ids) =>
      read(async (db) => {
        const found = new Set<string>();
        await inChunks(ids, 1, async (chunk) => {
          const rows = await db
            .selectFrom('runs')
            .select('id')
            .where('id', 'in', [...chunk])
            .execute();
          for (const { id } of rows) found.add(id);
        });
        return found;
      }),

    keys: (filter = {}) => read((db) => findKeys(db, filter)),
    key: (id) => read(async (db) => (await findLine(db, id))?.key),
    overview: (window) => read(async (db) => (await import('../queries/overview.ts')).overview(db, window)),
    trendPoints: (key, window = {}) => read((db) => trendPoints(db, key, window)),
    trendContext: (key) =>
      read(async (db) => (await import('../queries/trend-context.ts')).trendContext(db, key)),
    runs: (filter = {}, page = {}) => read((db) => findRuns(db, filter, page)),
    run: (id) => read(async (db) => (await runDetail()).findRun(db, id)),
    contents: (id) => read(async (db) => (await runDetail()).findContents(db, id)),
    measurement: (id) => read(async (db) => (await runDetail()).findMeasurement(db, id)),
    measurements: (ids) => read(async (db) => (await runDetail()).findMeasurements(db, ids)),
    side: (asked) =>
      read(async (db) => {
        const { resolveSide } = await import('../queries/find-side.ts');
        const { sideRows } = await import('../queries/side-rows.ts');
        const side = await resolveSide(db, asked);
        const { commit, branch, device, driver } = side;
        return { ...defined({ commit, branch, device, driver }), measurements: await sideRows(db, side) };
      }),
    devices: (window = {}) => read((db) => devices(db, window)),
    costs: (window = {}) => read((db) => costs(db, window)),
    profiles: (filter = {}, page = {}) => read((db) => findProfiles(db, filter, page)),
    profile: (id) => read((db) => findProfile(db, id)),
    studies: (page = {}) => read((db) => findStudies(db, page)),
    study: (id) => read((db) => findStudy(db, id)),
    sessions: (page = {}) => read(async (db) => (await sessionQueries()).findSessions(db, page)),
    session: (id) => read(async (db) => (await sessionQueries()).findSession(db, id)),
    allSessions: () => read(async (db) => (await sessionQueries()).findAllSessions(db)),
    sessionRevisions: () => read(async (db) => (await sessionQueries()).sessionRevisions(db)),
    commits: (shas) => read((db) => findCommits(db, shas)),

    notes: (filter = {}) => read((db) => findNotes(db, filter)),
    async addNote(note, now) {
      const made = noteOf(note, now);
      await write((db) => putNote(db, made));
      return made;
    },
    removeNote: (id, now) => write((db) => removeNote(db, id, now)),

    knownChanges: (key) => read((db) => knownChanges(db, key)),
    rememberChanges: (changes) => write((db) => rememberChanges(db, changes)),

    alerts: (filter = {}) => read(async (db) => (await alertQueries()).findAlerts(db, filter)),
    alertSubscriptions: () => read(async (db) => (await alertQueries()).alertSubscriptions(db)),
    alertCounts: () => read(async (db) => (await alertQueries()).countAlerts(db)),
    async noteAlerts(subscription, now, choose) {
      const { noteAlerts } = await alertQueries();
      return write((db) => noteAlerts(db, kind, subscription, now.getTime(), choose));
    },
    async claimAlert(subscriptions, now, lease_ms) {
      const { claimAlert } = await alertQueries();
      return write((db) => claimAlert(db, subscriptions, now.getTime(), lease_ms));
    },
    async settleAlert(alert, outcome) {
      const { settleAlert } = await alertQueries();
      await write((db) => settleAlert(db, alert, outcome));
    },
    async retryAlerts(subscriptions, now) {
      const { retryAlerts } = await alertQueries();
      return write((db) => retryAlerts(db, subscriptions, now.getTime()));
    },

    async ping() {
      // Not waited for: the caller wants to know how it is now.
      try {
        await sql`select 1`.execute(database);
      } catch (error) {
        throw storeFailure(error, place);
      }
    },
    close: () => database.destroy(),
  };

  return Object.assign(history, {
    /** For what keeps house in a store: retention, verification, the outbox. */
    read,
    write,

    /** Its own name, whatever address it is reached by. */
    identity: () =>
      read(async (db) => {
        const { id } = await db.selectFrom('store').select('id').executeTakeFirstOrThrow();
        return id;
      }),

    /** Of every run, oldest first. */
    runIds: () =>
      read(async (db) => {
        const rows = await db.selectFrom('runs').select('id').orderBy('started_ms').orderBy('n').execute();
        return rows.map(({ id }) => id);
      }),

    countRuns: (filter: RunFilter = {}) => read((db) => countRuns(db, filter)),

    /** Gives room that is free in the file back to the disk; PostgreSQL does that by itself. */
    async reclaim(): Promise<void> {
      if (kind === 'sqlite') await read((db) => sql`pragma incremental_vacuum`.execute(db));
    },

    /** What SQLite itself finds wrong with its file. */
    checkFile: () =>
      read(async (db) => {
        const { rows } = await sql<Record<string, string>>`pragma integrity_check(20)`.execute(db);
        return rows.flatMap((row) => Object.values(row)).filter((text) => text !== 'ok');
      }),

    putContents: async (contents: StoredContents) =>
      putPrepared((await import('../prepare-run.ts')).prepareContents(contents), contents.commits),

    /** Removed ones among them: for other stores. */
    keptNotes: () => read((db) => keptNotes(db)),
    putNote: (note: KeptNote) => write((db) => putNote(db, note)),
  });
}
