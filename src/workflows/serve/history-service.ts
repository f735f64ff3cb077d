/** What a server answers from: the store, the trends over it, and what is under way. */
import type {
  CostRow,
  History,
  KeyFilter,
  Page,
  PageRequest,
  ProfileSummary,
  RunDetail,
  RunFilter,
  StoredMeasurement,
  StoredProfile,
  StoredStudy,
  StudySummary,
  TrendWindow,
  Window,
} from '../../history/history.ts';
import type { PointComparison, Upload } from '../../model/history-api.ts';
import { judgeDevices } from '../../history/trends/judge-devices.ts';
import type { HistoryKey, HistoryRun, JudgedDevice, Overview, Trend } from '../../model/history.ts';
import type { CommitFacts } from '../../model/stored-run.ts';
import { comparePoints, type ComparedPoints } from './compare-points.ts';
import type { LiveFeed } from './live-feed.ts';
import type { StoreHandle } from './store-handle.ts';
import { TrendAnswers } from './trend-answers.ts';

export class HistoryService {
  readonly #store: StoreHandle;
  readonly #trends = new TrendAnswers();
  readonly live: LiveFeed;

  constructor(store: StoreHandle, live: LiveFeed) {
    this.#store = store;
    this.live = live;
  }

  overview(window: { readonly since: Date; readonly until: Date }): Promise<Overview> {
    return this.#ask((history) => this.#trends.overview(history, window));
  }

  keys(filter: KeyFilter): Promise<readonly HistoryKey[]> {
    return this.#ask((history) => history.keys(filter));
  }

  trend(key: string, window: TrendWindow): Promise<Trend | undefined> {
    return this.#ask((history) => this.#trends.trend(history, key, window));
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

  devices(window: Window): Promise<readonly JudgedDevice[]> {
    return this.#ask(async (history) => judgeDevices(await history.devices(window)));
  }

  commits(shas: readonly string[]): Promise<readonly CommitFacts[]> {
    return this.#ask((history) => history.commits(shas));
  }

  costs(window: Window): Promise<readonly CostRow[]> {
    return this.#ask((history) => history.costs(window));
  }

  async upload({ run, commits = [] }: Upload): Promise<{ readonly id: string; readonly stored: boolean }> {
    const result = await this.#ask((history) => history.put(run, { commits }));
    if (result.stored) this.live.tell({ type: 'recorded', run: result.id });
    return result;
  }

  ping(): Promise<void> {
    return this.#ask((history) => history.ping());
  }

  get isStoreUp(): boolean {
    return this.#store.isUp;
  }

  async close(): Promise<void> {
    await this.live.close();
    await this.#store.close();
  }

  #ask<Result>(question: (history: History) => Promise<Result>): Promise<Result> {
    return this.#store.use(question);
  }
}
