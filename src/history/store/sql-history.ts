import { sql } from 'kysely';

import type { AlertState } from '../../model/server/alert.ts';
import type {
  CostRow,
  ListedSession,
  ProfileSummary,
  RunDetail,
  StoredMeasurement,
  StoredProfile,
  StoredStudy,
  StudySummary,
} from '../../model/history/history-api.ts';
import type { DeviceHealth, HistoryKey, HistoryRun, Overview } from '../../model/history/history.ts';
import { defined } from '../../model/defined.ts';
import type { AskedSide } from '../../model/history/sides-comparison.ts';
import type { ProfileReport } from '../../model/profile/profile-report.ts';
import type { KeptNote, NewNote, Note } from '../../model/history/note.ts';
import type { Session } from '../../model/learn/session.ts';
import type { CommitFacts, StoredRun } from '../../model/history/stored-run.ts';
import type { Trial } from '../../model/tune/study.ts';
import type { Db } from '../database.ts';
import type {
  AlertFilter,
  AlertOutcome,
  History,
  KeyFilter,
  KnownChanges,
  MeasuredCommit,
  NewAlert,
  NoteFilter,
  Page,
  PageRequest,
  RunFilter,
  SideMeasurements,
  StoredAlert,
  StoredContents,
  StudyFacts,
  TrendContext,
  TrendPoints,
  TrendWindow,
  Window,
} from '../history.ts';
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

interface Stored {
  readonly id: string;
  readonly stored: boolean;
}

/** History in SQL, on either engine. */
export class SqlHistory implements History {
  readonly place: string;
  readonly kind: 'sqlite' | 'postgres';
  readonly #db: Db;
  readonly #patience_ms: number;

  constructor({ db, kind, place }: OpenedDatabase, patience_ms: number) {
    this.#db = db;
    this.kind = kind;
    this.place = place;
    this.#patience_ms = patience_ms;
  }

  /** For what keeps house in a store: retention, verification, the outbox. */
  read<Result>(query: (db: Db) => Promise<Result>): Promise<Result> {
    return this.#try(() => query(this.#db));
  }

  write<Result>(action: (db: Db) => Promise<Result>): Promise<Result> {
    return this.#try(() => this.#db.transaction().execute(action));
  }

  /** Its own name, whatever address it is reached by. */
  identity(): Promise<string> {
    return this.read(async (db) => {
      const { id } = await db.selectFrom('store').select('id').executeTakeFirstOrThrow();
      return id;
    });
  }

  /** Of every run, oldest first. */
  runIds(): Promise<string[]> {
    return this.read(async (db) => {
      const rows = await db.selectFrom('runs').select('id').orderBy('started_ms').orderBy('n').execute();
      return rows.map(({ id }) => id);
    });
  }

  /** Gives room that is free in the file back to the disk; PostgreSQL does that by itself. */
  async reclaim(): Promise<void> {
    if (this.kind === 'sqlite') await this.read((db) => sql`pragma incremental_vacuum`.execute(db));
  }

  /** What SQLite itself finds wrong with its file. */
  checkFile(): Promise<string[]> {
    return this.read(async (db) => {
      const { rows } = await sql<Record<string, string>>`pragma integrity_check(20)`.execute(db);
      return rows.flatMap((row) => Object.values(row)).filter((text) => text !== 'ok');
    });
  }

  async put(run: StoredRun, options: { readonly commits?: readonly CommitFacts[] } = {}): Promise<Stored> {
    const { prepareRun } = await import('../prepare-run.ts');
    return this.#put(prepareRun(run), options.commits);
  }

  async putContents(contents: StoredContents): Promise<Stored> {
    const { prepareContents } = await import('../prepare-run.ts');
    return this.#put(prepareContents(contents), contents.commits);
  }

  async #put(prepared: PreparedRun, commits: readonly CommitFacts[] = []): Promise<Stored> {
    const { putRun } = await import('../put-run.ts');
    const stored = await this.write((db) => putRun(db, prepared, { commits }));
    return { id: prepared.id, stored };
  }

  putCommits(commits: readonly CommitFacts[]): Promise<void> {
    return this.write((db) => putCommits(db, commits));
  }

  putProfile(report: ProfileReport, files: Readonly<Record<string, string>> = {}): Promise<Stored> {
    return this.write((db) => putProfile(db, report, files, new Date()));
  }

  putStudy(study: StudyFacts, trials: readonly Trial[]): Promise<void> {
    return this.write((db) => putStudy(db, study, trials));
  }

  async putSession(session: Session): Promise<Stored> {
    const { putSession } = await sessionQueries();
    return this.write((db) => putSession(db, session));
  }

  known(ids: readonly string[]): Promise<ReadonlySet<string>> {
    return this.read(async (db) => {
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
    });
  }

  keys(filter: KeyFilter = {}): Promise<readonly HistoryKey[]> {
    return this.read((db) => findKeys(db, filter));
  }

  key(id: string): Promise<HistoryKey | undefined> {
    return this.read(async (db) => (await findLine(db, id))?.key);
  }

  async overview(window: { readonly since: Date; readonly until: Date }): Promise<Overview> {
    const { overview } = await import('../queries/overview.ts');
    return this.read((db) => overview(db, window));
  }

  trendPoints(key: string, window: TrendWindow = {}): Promise<TrendPoints | undefined> {
    return this.read((db) => trendPoints(db, key, window));
  }

  async trendContext(key: string): Promise<TrendContext> {
    const { trendContext } = await import('../queries/trend-context.ts');
    return this.read((db) => trendContext(db, key));
  }

  runs(filter: RunFilter = {}, page: PageRequest = {}): Promise<Page<HistoryRun>> {
    return this.read((db) => findRuns(db, filter, page));
  }

  countRuns(filter: RunFilter = {}): Promise<number> {
    return this.read((db) => countRuns(db, filter));
  }

  async run(id: string): Promise<RunDetail | undefined> {
    const { findRun } = await runDetail();
    return this.read((db) => findRun(db, id));
  }

  async contents(id: string): Promise<StoredContents | undefined> {
    const { findContents } = await runDetail();
    return this.read((db) => findContents(db, id));
  }

  async measurement(id: string): Promise<StoredMeasurement | undefined> {
    const { findMeasurement } = await runDetail();
    return this.read((db) => findMeasurement(db, id));
  }

  async measurements(ids: readonly string[]): Promise<ReadonlyMap<string, StoredMeasurement>> {
    const { findMeasurements } = await runDetail();
    return this.read((db) => findMeasurements(db, ids));
  }

  async side(asked: AskedSide): Promise<SideMeasurements> {
    const { resolveSide } = await import('../queries/find-side.ts');
    const { sideRows } = await import('../queries/side-rows.ts');
    return this.read(async (db) => {
      const side = await resolveSide(db, asked);
      const { commit, branch, device, driver } = side;
      return {
        ...defined({ commit, branch, device, driver }),
        measurements: await sideRows(db, side),
      };
    });
  }

  devices(window: Window = {}): Promise<readonly DeviceHealth[]> {
    return this.read((db) => devices(db, window));
  }

  costs(window: Window = {}): Promise<readonly CostRow[]> {
    return this.read((db) => costs(db, window));
  }

  profiles(filter: KeyFilter = {}, page: PageRequest = {}): Promise<Page<ProfileSummary>> {
    return this.read((db) => findProfiles(db, filter, page));
  }

  profile(id: string): Promise<StoredProfile | undefined> {
    return this.read((db) => findProfile(db, id));
  }

  studies(page: PageRequest = {}): Promise<Page<StudySummary>> {
    return this.read((db) => findStudies(db, page));
  }

  study(id: string): Promise<StoredStudy | undefined> {
    return this.read((db) => findStudy(db, id));
  }

  async sessions(page: PageRequest = {}): Promise<Page<ListedSession>> {
    const { findSessions } = await sessionQueries();
    return this.read((db) => findSessions(db, page));
  }

  async session(id: string): Promise<Session | undefined> {
    const { findSession } = await sessionQueries();
    return this.read((db) => findSession(db, id));
  }

  async allSessions(): Promise<readonly Session[]> {
    const { findAllSessions } = await sessionQueries();
    return this.read(findAllSessions);
  }

  async sessionRevisions(): Promise<ReadonlyMap<string, number>> {
    const { sessionRevisions } = await sessionQueries();
    return this.read(sessionRevisions);
  }

  commits(shas: readonly string[]): Promise<readonly MeasuredCommit[]> {
    return this.read((db) => findCommits(db, shas));
  }

  notes(filter: NoteFilter = {}): Promise<readonly Note[]> {
    return this.read((db) => findNotes(db, filter));
  }

  async addNote(note: NewNote, now: Date): Promise<Note> {
    const made = noteOf(note, now);
    await this.write((db) => putNote(db, made));
    return made;
  }

  removeNote(id: string, now: Date): Promise<boolean> {
    return this.write((db) => removeNote(db, id, now));
  }

  /** Removed ones among them: for other stores. */
  keptNotes(): Promise<readonly KeptNote[]> {
    return this.read((db) => keptNotes(db));
  }

  putNote(note: KeptNote): Promise<boolean> {
    return this.write((db) => putNote(db, note));
  }

  knownChanges(
    key?: string,
  ): Promise<ReadonlyMap<string, { readonly seen: string; readonly known?: KnownChanges }>> {
    return this.read((db) => knownChanges(db, key));
  }

  rememberChanges(changes: ReadonlyMap<string, KnownChanges>): Promise<void> {
    return this.write((db) => rememberChanges(db, changes));
  }

  async alerts(filter: AlertFilter = {}): Promise<readonly StoredAlert[]> {
    const { findAlerts } = await alertQueries();
    return this.read((db) => findAlerts(db, filter));
  }

  async alertSubscriptions(): Promise<ReadonlyMap<string, Date>> {
    const { alertSubscriptions } = await alertQueries();
    return this.read(alertSubscriptions);
  }

  async alertCounts(): Promise<
    readonly { readonly subscription: string; readonly state: AlertState; readonly count: number }[]
  > {
    const { countAlerts } = await alertQueries();
    return this.read(countAlerts);
  }

  async noteAlerts(
    subscription: string,
    now: Date,
    choose: (known: readonly StoredAlert[], isFirst: boolean) => readonly NewAlert[],
  ): Promise<readonly NewAlert[]> {
    const { noteAlerts } = await alertQueries();
    return this.write((db) => noteAlerts(db, this.kind, subscription, now.getTime(), choose));
  }

  async claimAlert(
    subscriptions: readonly string[],
    now: Date,
    lease_ms: number,
  ): Promise<StoredAlert | undefined> {
    const { claimAlert } = await alertQueries();
    return this.write((db) => claimAlert(db, subscriptions, now.getTime(), lease_ms));
  }

  async settleAlert(alert: StoredAlert, outcome: AlertOutcome): Promise<void> {
    const { settleAlert } = await alertQueries();
    await this.write((db) => settleAlert(db, alert, outcome));
  }

  async retryAlerts(subscriptions: readonly string[], now: Date): Promise<number> {
    const { retryAlerts } = await alertQueries();
    return this.write((db) => retryAlerts(db, subscriptions, now.getTime()));
  }

  async ping(): Promise<void> {
    // Not waited for: the caller wants to know how it is now.
    try {
      await sql`select 1`.execute(this.#db);
    } catch (error) {
      throw storeFailure(error, this.place);
    }
  }

  close(): Promise<void> {
    return this.#db.destroy();
  }

  async #try<Result>(action: () => Promise<Result>): Promise<Result> {
    try {
      return await retryPassing(action, this.#patience_ms);
    } catch (error) {
      throw storeFailure(error, this.place);
    }
  }
}
