/** What a server answers from: the store, the trends over it, and what is under way. */
import type {
  History,
  KeyFilter,
  NoteFilter,
  Page,
  PageRequest,
  RunFilter,
  TrendWindow,
  Window,
} from '../../history/history.ts';
import type { Method } from '../../model/learn/gate.ts';
import { judgeDevices } from '../../history/trends/judge-devices.ts';
import type {
  CostRow,
  ListedSession,
  PointComparison,
  ProfileSummary,
  RunDetail,
  StoredMeasurement,
  StoredProfile,
  StoredStudy,
  StudySummary,
  ToldCommit,
  Upload,
} from '../../model/history/history-api.ts';
import type { HistoryKey, HistoryRun, JudgedDevice, Overview, Trend } from '../../model/history/history.ts';
import type { Lessons } from '../../model/learn/lesson.ts';
import { NOTES_SCHEMA, type NewNote, type Note, type Notes } from '../../model/history/note.ts';
import { LESSONS_SCHEMA } from '../../model/learn/lessons-schema-name.ts';
import type { Session } from '../../model/learn/session.ts';
import type { SidesComparison } from '../../model/history/sides-comparison.ts';
import { ChangedSessions } from '../../history/changed-sessions.ts';
import { toldCommit, type CodeHost } from '../../history/code-host.ts';
import { type ComparedSides } from '../../history/compare-sides.ts';
import { SidesAnswers } from '../../history/sides-answers.ts';
import { comparePoints, type ComparedPoints } from '../../history/compare-points.ts';
import { LearntLessons } from '../../history/learnt-lessons.ts';
import type { LiveFeed } from '../../measure/live-feed.ts';
import { mergeLessons, type MethodLibrary } from '../../learn/method/method-library.ts';
import { NewestRun, type NewestRunOptions } from '../../history/newest-run.ts';
import type { StoreHandle } from '../../history/store/store-handle.ts';
import type { Release } from '../../history/trends/trend-marks.ts';
import { TrendAnswers } from '../../history/trends/trend-answers.ts';
import type { AlertsConfig } from '../../config/alerts-schema.ts';
import type { DeliverContext } from '../../alerts/deliver-due.ts';
import { tellChanges, type Told } from '../alerts/tell-changes.ts';

/** What git says of the project, whenever it is asked. */
export interface ProjectFacts {
  readonly releases: () => Promise<readonly Release[]>;
  readonly codeHost: () => Promise<CodeHost | undefined>;
}

const NO_PROJECT: ProjectFacts = {
  releases: () => Promise.resolve([]),
  codeHost: () => Promise.resolve(undefined),
};

export class HistoryService {
  readonly #store: StoreHandle;
  readonly #about: ProjectFacts;
  readonly #trends = new TrendAnswers();
  readonly #sides = new SidesAnswers();
  readonly #newest: NewestRun;
  readonly #sessions: ChangedSessions;
  readonly #library: MethodLibrary;
  readonly #learnt = new LearntLessons();
  readonly live: LiveFeed;

  constructor(
    store: StoreHandle,
    live: LiveFeed,
    library: MethodLibrary,
    watching: Pick<NewestRunOptions, 'interval_ms' | 'onTrouble'>,
    about: ProjectFacts = NO_PROJECT,
  ) {
    this.#store = store;
    this.#about = about;
    this.live = live;
    this.#library = library;
    this.#newest = new NewestRun({
      find: async () => (await this.runs({}, { limit: 1 })).items[0]?.id,
      isWatched: () => live.listeners > 0,
      onNew: (run) => live.tell({ type: 'recorded', run }),
      ...watching,
    });
    this.#sessions = new ChangedSessions({
      find: () => this.#ask((history) => history.sessionRevisions()),
      isWatched: () => live.listeners > 0,
      onChange: (session, revision) => live.tell({ type: 'session', session, revision }),
      ...watching,
    });
  }

  overview(window: { readonly since: Date; readonly until: Date }): Promise<Overview> {
    return this.#ask((history) => this.#trends.overview(history, window));
  }

  keys(filter: KeyFilter): Promise<readonly HistoryKey[]> {
    return this.#ask((history) => history.keys(filter));
  }

  trend(key: string, window: TrendWindow): Promise<Trend | undefined> {
    return this.#ask(async (history) =>
      this.#trends.trend(history, key, window, await this.#about.releases()),
    );
  }

  compare(points: ComparedPoints): Promise<PointComparison | undefined> {
    return this.#ask((history) => comparePoints(history, points));
  }

  runs(filter: RunFilter, page: PageRequest): Promise<Page<HistoryRun>> {
    return this.#ask((history) => history.runs(filter, page));
  }

  run(id: string): Promise<RunDetail | undefined> {
    return this.#ask((history) => history.run(id));
  }

  measurement(id: string): Promise<StoredMeasurement | undefined> {
    return this.#ask((history) => history.measurement(id));
  }

  profiles(filter: KeyFilter, page: PageRequest): Promise<Page<ProfileSummary>> {
    return this.#ask((history) => history.profiles(filter, page));
  }

  profile(id: string): Promise<StoredProfile | undefined> {
    return this.#ask((history) => history.profile(id));
  }

  studies(page: PageRequest): Promise<Page<StudySummary>> {
    return this.#ask((history) => history.studies(page));
  }

  study(id: string): Promise<StoredStudy | undefined> {
    return this.#ask((history) => history.study(id));
  }

  sessions(page: PageRequest): Promise<Page<ListedSession>> {
    return this.#ask((history) => history.sessions(page));
  }

  session(id: string): Promise<Session | undefined> {
    return this.#ask((history) => history.session(id));
  }

  method(): Promise<Method> {
    return this.#library.method();
  }

  async lessons(): Promise<Lessons> {
    const [library, learnt] = await Promise.all([
      this.#library.lessons(),
      this.#ask((history) => this.#learnt.of(history)),
    ]);
    return { schema: LESSONS_SCHEMA, lessons: mergeLessons(library, learnt) };
  }

  devices(window: Window): Promise<readonly JudgedDevice[]> {
    return this.#ask(async (history) => judgeDevices(await history.devices(window)));
  }

  async commits(shas: readonly string[]): Promise<readonly ToldCommit[]> {
    const [found, host] = await Promise.all([
      this.#ask((history) => history.commits(shas)),
      this.#about.codeHost(),
    ]);
    return found.map((commit) => toldCommit(commit, host));
  }

  async notes(filter: NoteFilter): Promise<Notes> {
    return { schema: NOTES_SCHEMA, notes: [...(await this.#ask((history) => history.notes(filter)))] };
  }

  addNote(note: NewNote, now: Date): Promise<Note> {
    return this.#ask((history) => history.addNote(note, now));
  }

  removeNote(id: string, now: Date): Promise<boolean> {
    return this.#ask((history) => history.removeNote(id, now));
  }

  /** Every case of two commits, branches, devices or drivers. */
  async sides(asked: ComparedSides): Promise<SidesComparison> {
    const host = await this.#about.codeHost();
    return this.#ask((history) => this.#sides.compare(history, asked, host));
  }

  costs(window: Window): Promise<readonly CostRow[]> {
    return this.#ask((history) => history.costs(window));
  }

  async upload({ run, commits = [] }: Upload): Promise<{ readonly id: string; readonly stored: boolean }> {
    const result = await this.#ask((history) => history.put(run, { commits }));
    if (result.stored) {
      this.#newest.saw(result.id);
      this.live.tell({ type: 'recorded', run: result.id });
    }
    return result;
  }

  /** Sends what subscribers are to be told; with `look`, after looking for what is new. */
  tellChanges(config: AlertsConfig, context: DeliverContext & { readonly look: boolean }): Promise<Told> {
    return this.#ask((history) => tellChanges(history, config, context));
  }

  ping(): Promise<void> {
    return this.#ask((history) => history.ping());
  }

  get isStoreUp(): boolean {
    return this.#store.isUp;
  }

  async close(): Promise<void> {
    await this.#newest.close();
    await this.#sessions.close();
    await this.live.close();
    await this.#store.close();
  }

  #ask<Result>(question: (history: History) => Promise<Result>): Promise<Result> {
    return this.#store.use(question);
  }
}
