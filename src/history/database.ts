import type { Generated, Kysely } from 'kysely';

/**
 * The tables, the same on both engines. `n` numbers rows within one store, because a hash in every row of a large
 * table costs more than the row; hashes (`id`) are what stores, files and addresses agree on. Times are
 * milliseconds since 1970.
 */
export interface Tables {
  store: { version: number; id: string; created_ms: number };
  commits: {
    n: Generated<number>;
    sha: string;
    parent: string | null;
    time_ms: number | null;
    subject: string | null;
    author: string | null;
  };
  devices: { n: Generated<number>; id: string; name: string; info: string };
  keys: {
    n: Generated<number>;
    id: string;
    kernel: string;
    case_name: string;
    variant: string;
    mode: string;
    device_class: string;
    /** The trend that it belongs to. */
    line_n: number;
    /** What it was measured under besides its variant, as JSON. */
    setting: string;
    /** The operations and bytes of a call, its physical floor and its time at the measured ceiling, as JSON; null where its case declares none. */
    work: string | null;
  };
  lines: {
    n: Generated<number>;
    id: string;
    kernel: string;
    case_name: string;
    mode: string;
    device: string;
  };
  runs: {
    n: Generated<number>;
    id: string;
    kind: string;
    started_ms: number;
    finished_ms: number | null;
    commit_n: number | null;
    base_commit_n: number | null;
    branch: string | null;
    pull_request: number | null;
    host: string | null;
    device_n: number | null;
    verdict: string | null;
    cases: number;
    samples: number;
    device_s: number | null;
    /** Median over its measurements of how much processes differ. */
    between_pct: number | null;
    controls: number;
    alarms: number;
    /** How far retention has gone: 0 all samples, 1 some of each series, 2 none. */
    thin: number;
    money: number | null;
    currency: string | null;
    /** 1: the files that were measured are not those of the commit. */
    dirty: number;
  };
  documents: { run_n: number; body: Uint8Array };
  measurements: {
    n: Generated<number>;
    run_n: number;
    side: number;
    position: number;
    key_n: number;
    commit_n: number | null;
    /** Of the commit where it is known, else of the run. */
    time_ms: number;
    /** What it says of its key: `STANDING` (trend-standing.ts). 1: a point of its trend. */
    on_trend: number;
    level_ms: number | null;
    low_ms: number | null;
    high_ms: number | null;
    between_pct: number | null;
    cv_pct: number | null;
    processes: number;
    samples: number;
    verdict: string | null;
    /** Of all that was measured: stays when samples are thinned. */
    hash: string;
  };
  series: { measurement_n: number; thin: number; kept: number; body: Uint8Array };
  verdicts: {
    run_n: number;
    key_n: number;
    verdict: string;
    change_pct: number | null;
    low_pct: number | null;
    high_pct: number | null;
    baseline_ms: number | null;
    candidate_ms: number | null;
    waived: number;
  };
  profiles: {
    n: Generated<number>;
    id: string;
    time_ms: number;
    kernel: string;
    case_name: string;
    mode: string;
    commit_sha: string | null;
    summary: string | null;
    body: Uint8Array;
  };
  studies: {
    n: Generated<number>;
    id: string;
    kernel: string;
    started_ms: number;
    finished_ms: number | null;
    document: string;
  };
  trials: { study_n: number; number: number; time_ms: number | null; done: number; document: string };
  sessions: {
    n: Generated<number>;
    id: string;
    started_ms: number;
    revision: number;
    /** What a list shows of it, as JSON. */
    summary: string;
    /** Of the whole document. */
    hash: string;
    body: Uint8Array;
  };
  latest: {
    line_n: number;
    /** Of the last point or verdict. */
    key_n: number;
    time_ms: number;
    started_ms: number;
    commit_n: number | null;
    level_ms: number | null;
    low_ms: number | null;
    high_ms: number | null;
    between_pct: number | null;
    verdict: string | null;
    points: number;
    /** 1: of points and verdicts of commits; 0: of what no commit holds, as long as there is nothing else. */
    settled: number;
  };
  rollups: {
    span_days: number;
    bucket: number;
    line_n: number;
    time_ms: number;
    started_ms: number;
    level_ms: number;
  };
  known_changes: { line_n: number; seen: string; changes: string };
  notes: {
    id: string;
    commit_sha: string;
    /** Null: of every kernel; likewise the others. */
    kernel: string | null;
    case_name: string | null;
    mode: string | null;
    device: string | null;
    text: string;
    link: string | null;
    author: string | null;
    created_ms: number;
    /** It stays, so that another store that still has it learns that it is gone. */
    removed_ms: number | null;
  };
  pushed: { remote: string; run_id: string };
  /** Subscriptions whose changes were looked for: what was there then is not news. */
  alert_subscriptions: { name: string; since_ms: number };
  alerts: {
    n: Generated<number>;
    id: string;
    subscription: string;
    /** The trend's id. */
    key_id: string;
    commit_sha: string;
    previous_sha: string | null;
    time_ms: number;
    state: string;
    found_ms: number;
    /** When it may be tried; while it is being sent, when its sender is taken for dead. */
    next_ms: number;
    tries: number;
    sent_ms: number | null;
    error: string | null;
    /** The alert as JSON. No address and no secret is in it. */
    body: string;
  };
}

export type Db = Kysely<Tables>;
