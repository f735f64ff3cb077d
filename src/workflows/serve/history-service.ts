/** What a server answers from: the store, the trends over it, and what is under way. */
import type { History, NoteFilter, TrendWindow, Window } from '../../history/history.ts';
import type { Method } from '../../model/learn/gate.ts';
import { judgeDevices } from '../../history/trends/judge-devices.ts';
import type { PointComparison, ToldCommit, Upload } from '../../model/history/history-api.ts';
import type { JudgedDevice, Overview, Trend } from '../../model/history/history.ts';
import type { Lessons } from '../../model/learn/lesson.ts';
import { NOTES_SCHEMA, type Notes } from '../../model/history/note.ts';
import { LESSONS_SCHEMA } from '../../model/learn/lessons-schema-name.ts';
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

export type HistoryService = ReturnType<typeof historyService>;

export function historyService(
  store: StoreHandle,
  live: LiveFeed,
  library: MethodLibrary,
  watching: Pick<NewestRunOptions, 'interval_ms' | 'onTrouble'>,
  about: ProjectFacts = NO_PROJECT,
) {
  const ask = <Result>(question: (history: History) => Promise<Result>): Promise<Result> =>
    store.use(question);
  const trends = new TrendAnswers();
  const sides = new SidesAnswers();
  const learnt = new LearntLessons();
  const isWatched = (): boolean => live.listeners > 0;
  const newest = new NewestRun({
    find: () => ask(async (history) => (await history.runs({}, { limit: 1 })).items[0]?.id),
    isWatched,
    onNew: (run) => live.tell({ type: 'recorded', run }),
    ...watching,
  });
  const sessions = new ChangedSessions({
    find: () => ask((history) => history.sessionRevisions()),
    isWatched,
    onChange: (session, revision) => live.tell({ type: 'session', session, revision }),
    ...watching,
  });

  /** What the store answers by itself. */
  const stored = {
    keys: (filter) => ask((history) => history.keys(filter)),
    runs: (filter, page) => ask((history) => history.runs(filter, page)),
    run: (id) => ask((history) => history.run(id)),
    measurement: (id) => ask((history) => history.measurement(id)),
    profiles: (filter, page) => ask((history) => history.profiles(filter, page)),
    profile: (id) => ask((history) => history.profile(id)),
    studies: (page) => ask((history) => history.studies(page)),
    study: (id) => ask((history) => history.study(id)),
    sessions: (page) => ask((history) => history.sessions(page)),
    session: (id) => ask((history) => history.session(id)),
    addNote: (note, now) => ask((history) => history.addNote(note, now)),
    removeNote: (id, now) => ask((history) => history.removeNote(id, now)),
    costs: (window) => ask((history) => history.costs(window)),
    ping: () => ask((history) => history.ping()),
  } satisfies Partial<History>;

  return {
    ...stored,
    live,

    overview: (window: { readonly since: Date; readonly until: Date }): Promise<Overview> =>
      ask((history) => trends.overview(history, window)),

    trend: (key: string, window: TrendWindow): Promise<Trend | undefined> =>
      ask(async (history) => trends.trend(history, key, window, await about.releases())),

    compare: (points: ComparedPoints): Promise<PointComparison | undefined> =>
      ask((history) => comparePoints(history, points)),

    method: (): Promise<Method> => library.method(),

    async lessons(): Promise<Lessons> {
      const [known, own] = await Promise.all([library.lessons(), ask((history) => learnt.of(history))]);
      return { schema: LESSONS_SCHEMA, lessons: mergeLessons(known, own) };
    },

    devices: (window: Window): Promise<readonly JudgedDevice[]> =>
      ask(async (history) => judgeDevices(await history.devices(window))),

    async commits(shas: readonly string[]): Promise<readonly ToldCommit[]> {
      const [found, host] = await Promise.all([ask((history) => history.commits(shas)), about.codeHost()]);
      return found.map((commit) => toldCommit(commit, host));
    },

    async notes(filter: NoteFilter): Promise<Notes> {
      return { schema: NOTES_SCHEMA, notes: [...(await ask((history) => history.notes(filter)))] };
    },

    /** Every case of two commits, branches, devices or drivers. */
    async sides(asked: ComparedSides): Promise<SidesComparison> {
      const host = await about.codeHost();
      return ask((history) => sides.compare(history, asked, host));
    },

    async upload({ run, commits = [] }: Upload): Promise<{ readonly id: string; readonly stored: boolean }> {
      const result = await ask((history) => history.put(run, { commits }));
      if (result.stored) {
        newest.saw(result.id);
        live.tell({ type: 'recorded', run: result.id });
      }
      return result;
    },

    /** Sends what subscribers are to be told; with `look`, after looking for what is new. */
    tellChanges: (
      config: AlertsConfig,
      context: DeliverContext & { readonly look: boolean },
    ): Promise<Told> => ask((history) => tellChanges(history, config, context)),

    get isStoreUp(): boolean {
      return store.isUp;
    },

    async close(): Promise<void> {
      await newest.close();
      await sessions.close();
      await live.close();
      await store.close();
    },
  };
}
