import type { Alert, AlertState } from '../model/server/alert.ts';
import type {
  CostRow,
  ListedSession,
  ProfileSummary,
  RunDetail,
  RunDocument,
  StoredMeasurement,
  StoredProfile,
  StoredSeries,
  StoredStudy,
  StudySummary,
} from '../model/history/history-api.ts';
import type {
  DeviceHealth,
  HistoryKey,
  HistoryRun,
  NewestPoint,
  Overview,
  Trend,
  TrendChange,
  TrendLines,
  TrendMark,
  TrendPoint,
  TrendSetting,
} from '../model/history/history.ts';
import type { AskedSide, FoundSide } from '../model/history/sides-comparison.ts';
import type { ProfileReport } from '../model/profile/profile-report.ts';
import type { NewNote, Note } from '../model/history/note.ts';
import type { Session } from '../model/learn/session.ts';
import type { CommitFacts, Side, StoredRun } from '../model/history/stored-run.ts';
import type { Trial } from '../model/tune/study.ts';
import type { Verdict } from '../model/judge/verdict.ts';

/** A commit, and the pull request that it was measured for. */
export type MeasuredCommit = CommitFacts & { readonly pull_request?: number };

/** From `since` up to, and without, `until`. */
export interface Window {
  readonly since?: Date;
  readonly until?: Date;
}

export interface KeyFilter {
  readonly kernel?: string;
  readonly case?: string;
  readonly mode?: string;
  readonly device_class?: string;
}

export interface RunFilter extends KeyFilter, Window {
  readonly kinds?: readonly HistoryRun['kind'][];
  /** Whole, or its beginning. */
  readonly commit?: string;
  /** A device's name, or a part of it. */
  readonly device?: string;
  readonly host?: string;
  readonly branch?: string;
  readonly verdicts?: readonly Verdict[];
  /**
   * Words that all have to be in what a run is known by: its id, kind, verdict, commits with subject and author, branch,
   * pull request (`#12`), host, device, kernels and cases.
   */
  readonly search?: string;
}

export interface NoteFilter extends Omit<KeyFilter, 'device_class'> {
  /** Whole, or its beginning. */
  readonly commit?: string;
  readonly device?: string;
}

export interface PageRequest {
  /** Default 50, at most 1000. */
  readonly limit?: number;
  /** `next` of the page before. */
  readonly cursor?: string;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  /** Absent on the last page. */
  readonly next?: string;
}

export interface TrendWindow extends Window {
  /** Fewer points than there are, spread evenly over them; the last one is always among them. */
  readonly maxPoints?: number;
}

export interface TrendPoints {
  readonly key: HistoryKey;
  /** Oldest first; one a commit: its latest measurement. */
  readonly points: readonly TrendPoint[];
  /** What the points were measured under; a point's `setting` is a place in it. */
  readonly settings: readonly TrendSetting[];
  /** How many there are in the window; more than `points` where they were thinned. */
  readonly total: number;
}

export interface TrendContext {
  readonly lines: TrendLines;
  readonly waived: readonly Pick<TrendMark, 'commit' | 'time'>[];
}

/** A measurement of a side, without its samples. */
export interface SideMeasurement {
  readonly id: string;
  readonly run: string;
  readonly key: HistoryKey;
  /** Its trend is of its variant alone, beside that of the default. */
  readonly ownVariant: boolean;
  readonly commit?: string;
  readonly time_ms: number;
  readonly started_ms: number;
  readonly level_ms?: number;
  readonly ci_ms?: readonly [number, number];
  /** The measurement that has its samples: its own, or its baseline's where it is the same binary. */
  readonly samples_of: string;
  /** How far retention has gone. */
  readonly thin: number;
}

export interface SideMeasurements extends Omit<FoundSide, 'cases'> {
  /** Several of the same trend where it was measured more than once. */
  readonly measurements: readonly SideMeasurement[];
}

/** A study as its own engine describes it; history keeps the description as it is. */
export type StudyFacts = Pick<StoredStudy, 'id' | 'kernel' | 'started_at' | 'finished_at' | 'document'>;

/** What a key's changes were when it had the points that `seen` stands for. */
export interface KnownChanges {
  /** Alike as long as no point of the key was added, or its time corrected. */
  readonly seen: string;
  readonly changes: readonly TrendChange[];
  readonly newest?: NewestPoint;
  readonly marks?: readonly TrendMark[];
  readonly modes?: Trend['modes'];
  readonly host_offsets?: Trend['host_offsets'];
}

/** A change as a subscription was told of it, or is to be. */
export interface StoredAlert {
  readonly id: string;
  readonly subscription: string;
  readonly key_id: string;
  readonly commit_sha: string;
  readonly previous_sha: string | null;
  readonly time_ms: number;
  readonly state: AlertState;
  readonly found_ms: number;
  readonly next_ms: number;
  readonly tries: number;
  readonly sent_ms: number | null;
  readonly error: string | null;
  readonly alert: Alert;
}

export type NewAlert = Pick<StoredAlert, 'alert' | 'key_id' | 'commit_sha' | 'previous_sha' | 'time_ms'> & {
  readonly state: 'waiting' | 'before';
};

/** What became of a try. */
export interface AlertOutcome {
  readonly state: 'waiting' | 'sent' | 'failed';
  readonly at_ms: number;
  /** Of `waiting`: when it is tried again. */
  readonly next_ms?: number;
  readonly error?: string;
}

interface AlertFilter {
  readonly subscription?: string;
  readonly states?: readonly AlertState[];
  readonly limit?: number;
}

/** Every run, sample, verdict, profile, study and session of a project. One interface, on SQLite and on PostgreSQL. */
export interface History {
  /** Where it is, for people; without a password. */
  readonly place: string;
  readonly kind: 'sqlite' | 'postgres';

  /** Keeps a run, all of it or nothing. The same run twice is one run: `stored` is false the second time. */
  put(
    run: StoredRun,
    options?: { readonly commits?: readonly CommitFacts[] },
  ): Promise<{ readonly id: string; readonly stored: boolean }>;
  putCommits(commits: readonly CommitFacts[]): Promise<void>;
  putProfile(
    report: ProfileReport,
    files?: Readonly<Record<string, string>>,
  ): Promise<{ readonly id: string; readonly stored: boolean }>;
  /** Adds what is new of a study: trials that were not known, and outcomes of those under way. */
  putStudy(study: StudyFacts, trials: readonly Trial[]): Promise<void>;
  /** Keeps a session as far as it got; `stored` is false where the same or a later revision of it is here. */
  putSession(session: Session): Promise<{ readonly id: string; readonly stored: boolean }>;
  /** Those of `ids` that are runs here. */
  known(ids: readonly string[]): Promise<ReadonlySet<string>>;

  keys(filter?: KeyFilter): Promise<readonly HistoryKey[]>;
  key(id: string): Promise<HistoryKey | undefined>;
  /** Without `last_change` and `creep`, which need the trends (`knownChanges`). */
  overview(window: { readonly since: Date; readonly until: Date }): Promise<Overview>;
  trendPoints(key: string, window?: TrendWindow): Promise<TrendPoints | undefined>;
  /** What a trend is held against, and the commits of which a slowdown was waived. */
  trendContext(key: string): Promise<TrendContext>;
  runs(filter?: RunFilter, page?: PageRequest): Promise<Page<HistoryRun>>;
  /** By its id, or the beginning of one that is only one run's. */
  run(id: string): Promise<RunDetail | undefined>;
  /** The run as it was stored, as far as retention has left its samples. */
  contents(id: string): Promise<StoredContents | undefined>;
  measurement(id: string): Promise<StoredMeasurement | undefined>;
  /** With their samples, by id; those that are not here are left out. */
  measurements(ids: readonly string[]): Promise<ReadonlyMap<string, StoredMeasurement>>;
  /** What was measured of a commit, a branch, a device or a driver. */
  side(asked: AskedSide): Promise<SideMeasurements>;
  devices(window?: Window): Promise<readonly DeviceHealth[]>;
  costs(window?: Window): Promise<readonly CostRow[]>;
  profiles(filter?: KeyFilter, page?: PageRequest): Promise<Page<ProfileSummary>>;
  profile(id: string): Promise<StoredProfile | undefined>;
  studies(page?: PageRequest): Promise<Page<StudySummary>>;
  study(id: string): Promise<StoredStudy | undefined>;
  /** Newest first. */
  sessions(page?: PageRequest): Promise<Page<ListedSession>>;
  session(id: string): Promise<Session | undefined>;
  /** Whole, oldest first: what the next session learns from. */
  allSessions(): Promise<readonly Session[]>;
  /** By id. */
  sessionRevisions(): Promise<ReadonlyMap<string, number>>;
  /** With the pull request of the newest run that names one. */
  commits(shas: readonly string[]): Promise<readonly MeasuredCommit[]>;

  /** What people said of changes, newest first. */
  notes(filter?: NoteFilter): Promise<readonly Note[]>;
  addNote(note: NewNote, now: Date): Promise<Note>;
  /** False: there is none with this id. */
  removeNote(id: string, now: Date): Promise<boolean>;

  /** By key, of all or of one: what `seen` is now, and what was remembered of it. */
  knownChanges(
    key?: string,
  ): Promise<ReadonlyMap<string, { readonly seen: string; readonly known?: KnownChanges }>>;
  rememberChanges(changes: ReadonlyMap<string, KnownChanges>): Promise<void>;

  /** Newest first. */
  alerts(filter?: AlertFilter): Promise<readonly StoredAlert[]>;
  /** When each subscription's changes were first looked for. */
  alertSubscriptions(): Promise<ReadonlyMap<string, Date>>;
  alertCounts(): Promise<
    readonly { readonly subscription: string; readonly state: AlertState; readonly count: number }[]
  >;
  /**
   * Notes what `choose` makes of what is known of a subscription, all of it or nothing, and answers with it. `isFirst`:
   * its changes were never looked for before. Two that find the same at once come one after the other.
   */
  noteAlerts(
    subscription: string,
    now: Date,
    choose: (known: readonly StoredAlert[], isFirst: boolean) => readonly NewAlert[],
  ): Promise<readonly NewAlert[]>;
  /** The next one that is due, held for so long by the caller. */
  claimAlert(subscriptions: readonly string[], now: Date, lease_ms: number): Promise<StoredAlert | undefined>;
  settleAlert(alert: StoredAlert, outcome: AlertOutcome): Promise<void>;
  /** Those that were given up wait again; how many. */
  retryAlerts(subscriptions: readonly string[], now: Date): Promise<number>;

  /** A cheap question, to know that it answers. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** What the samples of a measurement come to; nulls where there are none. */
export interface LevelFacts {
  readonly level_ms: number | null;
  readonly low_ms: number | null;
  readonly high_ms: number | null;
  /** How much processes differ. */
  readonly between_pct: number | null;
  readonly cv_pct: number | null;
  readonly processes: number;
  readonly samples: number;
}

/** A run out of the store, ready to go into another one. */
export interface StoredContents {
  readonly id: string;
  readonly document: RunDocument;
  readonly commits: readonly CommitFacts[];
  readonly measurements: readonly {
    readonly side: Side;
    readonly position: number;
    /** Of all its samples, also where retention has thinned them. */
    readonly hash: string;
    readonly thin: 0 | 1 | 2;
    /** What was computed from all samples. */
    readonly level: LevelFacts;
    readonly series: readonly StoredSeries[];
  }[];
}
