import { toldCommit, type CodeHost } from '../../history/code-host.ts';
import type { History } from '../../history/history.ts';
import { currentChanges } from '../../history/trends/current-changes.ts';
import type { Release } from '../../history/trends/trend-marks.ts';
import { trendOf } from '../../history/trends/trend-of.ts';
import { withChanges } from '../../history/trends/with-changes.ts';
import { caseId } from '../../model/judge/case-key.ts';
import type { HistoryRun, Overview, Trend } from '../../model/history/history.ts';
import { LESSONS_SCHEMA } from '../../model/learn/lessons-schema-name.ts';
import { NOTES_SCHEMA } from '../../model/history/note.ts';
import { PawlError } from '../../model/pawl-error.ts';
import { comparePoints } from '../../history/compare-points.ts';
import { LearntLessons } from '../../history/learnt-lessons.ts';
import { mergeLessons, type MethodLibrary } from '../../learn/method/method-library.ts';

export interface ReportWindow {
  readonly since: Date;
  readonly until: Date;
  /** The report is about this run, and the cases that it measured. */
  readonly run?: string;
}

export interface CollectOptions {
  /** Where commits have pages. */
  readonly host?: CodeHost | undefined;
  readonly releases?: readonly Release[];
  readonly signal?: AbortSignal | undefined;
  /** Of all runs together; more are told only where a case changed. */
  readonly mostMeasurements?: number;
}

/** What the HTTP API would answer, by its paths below `/api/v1/`. */
export type Answers = Readonly<Record<string, unknown>>;

/** A file is mailed and kept: as many points as a screen shows, and the runs of the window's end with their samples. */
const MOST_POINTS = 300;
const MOST_RUNS = 20;
/** Of all trends and of all runs together: a browser has to read the file. */
const MOST_POINTS_OF_ALL = 150_000;
const FEWEST_POINTS = 20;
const MOST_MEASUREMENTS = 20_000;
/** Of a run, the measurements whose samples are looked at first. */
const MOST_SAMPLES = 12;
/** Both sides of a change with their samples, of the cases that come first. */
const MOST_CHANGES = 200;
const MOST_PROFILES = 12;
const MOST_COMMITS = 2000;
const MOST_STUDIES = 12;
/** A list is read as a whole, as what was predicted is compared over all of it; of a session there are its diffs. */
const MOST_LISTED = 500;
const MOST_SESSIONS = 24;

/** Collects what the dashboard asks for, for a page without a server. */
export async function collectAnswers(
  history: History,
  { run, ...window }: ReportWindow,
  library: MethodLibrary,
  { releases = [], host, signal, mostMeasurements = MOST_MEASUREMENTS }: CollectOptions = {},
): Promise<Answers> {
  const answers: Record<string, unknown> = {};
  const reader = new RunReader(history, answers, mostMeasurements);
  const only = run === undefined ? undefined : await runDetail(history, run);
  const whole = withChanges(
    await history.overview(window),
    await currentChanges(history, { goesOn: () => signal?.aborted !== true }),
  );
  signal?.throwIfAborted();
  const overview = only === undefined ? whole : about(whole, only.run, keysOf(only));
  answers['overview'] = overview;
  answers['runs'] = { items: overview.runs };
  const told = [
    ...new Set([...(only === undefined ? [] : [only.run.id]), ...overview.runs.map(({ id }) => id)]),
  ];
  for (const id of told.slice(0, MOST_RUNS)) await addRun(reader, answers, id);
  const maxPoints = pointsEach(overview.keys.length);
  let mostJudged = MOST_CHANGES;
  for (const { key } of overview.keys) {
    // SQLite answers within the call: without a pause no signal would be handled.
    await new Promise((resolve) => setImmediate(resolve));
    signal?.throwIfAborted();
    const trend = await trendOf(history, key.id, { ...window, maxPoints }, releases);
    if (trend === undefined) continue;
    answers[`trend?key=${encodeURIComponent(key.id)}`] = trend;
    if (mostJudged-- > 0) await addLastChange(reader, answers, trend);
  }
  await addCommits(history, answers, host);
  await addProfiles(history, answers, overview);
  await addStudies(history, answers, window);
  answers['devices'] = { items: await history.devices(window) };
  answers['costs'] = { items: await history.costs(window) };
  // A report on one run is sent to whom that run concerns: sessions hold other people's changes.
  if (only === undefined) await addSessions(history, answers, library);
  else answers['sessions'] = { items: [] };
  if (only === undefined) answers['notes'] = { schema: NOTES_SCHEMA, notes: await history.notes() };
  return answers;
}

type RunDetail = NonNullable<Awaited<ReturnType<History['run']>>>;

async function runDetail(history: History, id: string): Promise<RunDetail> {
  const found = await history.run(id);
  if (found !== undefined) return found;
  throw new PawlError(
    'usage',
    `There is no run ${id} in ${history.place}.`,
    'pawl history lists runs and their ids.',
  );
}

function keysOf({ measurements }: RunDetail): ReadonlySet<string> {
  return new Set(measurements.map(({ key }) => key.id));
}

function about(overview: Overview, run: HistoryRun, keys: ReadonlySet<string>): Overview {
  return { ...overview, keys: overview.keys.filter(({ key }) => keys.has(key.id)), runs: [run] };
}

function pointsEach(cases: number): number {
  const fitting = Math.floor(MOST_POINTS_OF_ALL / Math.max(cases, 1));
  return Math.min(MOST_POINTS, Math.max(FEWEST_POINTS, fitting));
}

async function addRun(reader: RunReader, answers: Record<string, unknown>, id: string): Promise<void> {
  if (Object.hasOwn(answers, `runs/${id}`) || reader.isFull) return;
  const detail = await reader.run(id);
  if (detail === undefined) return;
  reader.show(detail);
  for (const measurement of detail.measurements.slice(0, MOST_SAMPLES))
    await addSamples(reader.history, answers, measurement.id);
}

/** Reads a run once, however many cases changed in it; the latest few are kept. */
class RunReader {
  readonly history: History;
  readonly #answers: Record<string, unknown>;
  readonly #known = new Map<string, RunDetail | undefined>();
  #room: number;

  constructor(history: History, answers: Record<string, unknown>, room: number) {
    this.history = history;
    this.#answers = answers;
    this.#room = room;
  }

  /** Whether the file has as many measurements as it should. */
  get isFull(): boolean {
    return this.#room <= 0;
  }

  /** As long as there is room. */
  show(detail: RunDetail): void {
    const path = `runs/${detail.run.id}`;
    if (this.isFull || Object.hasOwn(this.#answers, path)) return;
    this.#answers[path] = detail;
    this.#room -= detail.measurements.length;
  }

  /** The whole run or, where there is no room, what it has of this case. */
  showCase(detail: RunDetail, key: string): void {
    this.show(detail);
    const path = `runs/${detail.run.id}`;
    const known = this.#answers[path] as RunDetail | undefined;
    if (known?.measurements.some((one) => one.key.id === key) === true) return;
    const own = <Row extends { readonly key: { readonly id: string } }>(rows: readonly Row[]): Row[] =>
      rows.filter((row) => row.key.id === key);
    const measurements = [...(known?.measurements ?? []), ...own(detail.measurements)];
    const verdicts = [...(known?.verdicts ?? []), ...own(detail.verdicts)];
    const left_out = detail.measurements.length - measurements.length;
    this.#answers[path] = { ...detail, measurements, verdicts, ...(left_out > 0 ? { left_out } : {}) };
  }

  async run(id: string): Promise<RunDetail | undefined> {
    if (!this.#known.has(id)) {
      const [oldest] = this.#known.keys();
      if (this.#known.size >= MOST_RUNS && oldest !== undefined) this.#known.delete(oldest);
      this.#known.set(id, await this.history.run(id));
    }
    return this.#known.get(id);
  }
}

async function addSamples(history: History, answers: Record<string, unknown>, id: string): Promise<void> {
  const path = `measurements/${id}/samples`;
  answers[path] ??= await history.measurement(id);
}

/** Both sides of the latest change, and the verdict on them: what a reader looks at first. */
async function addLastChange(
  reader: RunReader,
  answers: Record<string, unknown>,
  trend: Trend,
): Promise<void> {
  const change = trend.changes.at(-1);
  const [before, after] = [change?.previous_commit, change?.commit].map((commit) =>
    trend.points.find((point) => point.commit === commit),
  );
  if (before === undefined || after === undefined) return;
  const ids: string[] = [];
  for (const { run, commit } of [before, after]) {
    const detail = await reader.run(run);
    const own = detail?.measurements.filter(({ key }) => key.id === trend.key.id) ?? [];
    const chosen = own.find((one) => one.commit === commit) ?? own.find(({ side }) => side === 'head');
    if (detail === undefined || chosen === undefined) return;
    reader.showCase(detail, trend.key.id);
    await addSamples(reader.history, answers, chosen.id);
    ids.push(chosen.id);
  }
  const [a, b] = ids as [string, string];
  try {
    answers[`compare?a=${encodeURIComponent(a)}&b=${encodeURIComponent(b)}`] = await comparePoints(
      reader.history,
      {
        a,
        b,
      },
    );
  } catch (error) {
    // What cannot be judged any more, as retention took its samples, is shown without a verdict.
    if (!(error instanceof PawlError)) throw error;
  }
}

/** What is known of the commits that a reader sees first; of others the hash is shown. */
async function addCommits(
  history: History,
  answers: Record<string, unknown>,
  host: CodeHost | undefined,
): Promise<void> {
  const { keys, runs } = answers['overview'] as Overview;
  const named = [
    ...runs.flatMap(({ commit, base_commit }) => [commit, base_commit]),
    ...keys.flatMap(({ last_change, newest }) => [
      last_change?.commit,
      last_change?.previous_commit,
      newest?.commit,
    ]),
    ...Object.entries(answers).flatMap(([path, answer]) =>
      path.startsWith('trend?') ? (answer as Trend).points.map(({ commit }) => commit) : [],
    ),
  ];
  const shas = [...new Set(named)].filter((sha) => sha !== undefined).slice(0, MOST_COMMITS);
  answers['commits'] = { items: (await history.commits(shas)).map((commit) => toldCommit(commit, host)) };
}

async function addProfiles(
  history: History,
  answers: Record<string, unknown>,
  { keys }: Overview,
): Promise<void> {
  const cases = new Set(keys.map(({ key: { kernel, case: name } }) => caseId({ kernel, case: name })));
  const { items } = await history.profiles({}, { limit: 200 });
  const shown = items
    .filter((profile) => cases.has(caseId({ kernel: profile.kernel, case: profile.case })))
    .slice(0, MOST_PROFILES);
  answers['profiles'] = { items: shown };
  for (const { id } of shown) answers[`profiles/${id}`] = await history.profile(id);
}

async function addStudies(
  history: History,
  answers: Record<string, unknown>,
  { since, until }: { readonly since: Date; readonly until: Date },
): Promise<void> {
  const { items } = await history.studies({ limit: 200 });
  const shown = items
    .filter(
      ({ started_at }) =>
        Date.parse(started_at) >= since.getTime() && Date.parse(started_at) < until.getTime(),
    )
    .slice(0, MOST_STUDIES);
  answers['studies'] = { items: shown };
  for (const { id } of shown) answers[`studies/${id}`] = await history.study(id);
}

/** Whatever the window: what was learnt long ago is what a session of today is warned by. */
async function addSessions(
  history: History,
  answers: Record<string, unknown>,
  library: MethodLibrary,
): Promise<void> {
  const { items } = await history.sessions({ limit: MOST_LISTED });
  answers['sessions'] = { items };
  for (const { id } of items.slice(0, MOST_SESSIONS)) {
    answers[`sessions/${encodeURIComponent(id)}`] = await history.session(id);
  }
  answers['method'] = await library.method();
  const learnt = await new LearntLessons().of(history);
  answers['lessons'] = { schema: LESSONS_SCHEMA, lessons: mergeLessons(await library.lessons(), learnt) };
}
