import type { Generated, Kysely, Transaction } from 'kysely';

/** The tables of a queue, the same on both engines. Times are milliseconds since 1970 by the database's clock. */
export interface QueueTables {
  queue_store: { version: number; id: string };
  tenants: {
    name: string;
    weight: number;
    most_queued: number;
    most_per_day: number;
    rate_per_s: number;
    burst: number;
    suspended: number;
    /** Seconds of workers that it had, over its weight: who has the least is next. */
    virtual_s: number;
    /** What one of its submissions takes, by those before. */
    mean_s: number;
    /** The token bucket of its rate limit. */
    bucket: number;
    bucket_ms: number;
    /** Days since 1970, and what was queued on that one. */
    day: number;
    day_count: number;
    created_ms: number;
  };
  tokens: {
    id: string;
    tenant: string;
    /** Words with commas between them. */
    roles: string;
    hash: string;
    label: string | null;
    created_ms: number;
    expires_ms: number | null;
    revoked_ms: number | null;
  };
  problems: { name: string; offered_ms: number };
  judges: {
    problem: string;
    device_class: string;
    identity: string;
    reference: string;
    since_ms: number;
  };
  workers: {
    worker: string;
    device_class: string;
    began_ms: number;
    seen_ms: number;
    ended_ms: number | null;
  };
  submissions: {
    n: Generated<number>;
    id: string;
    tenant: string;
    client_id: string | null;
    author: string | null;
    problem: string;
    device_class: string | null;
    sources_sha256: string;
    files: Uint8Array;
    bytes: number;
    priority: number;
    fresh: number;
    state: string;
    submitted_ms: number;
    finished_ms: number | null;
    /** Counts leases: an answer counts only under the last one. */
    generation: number;
    worker: string | null;
    /** What it is judged by under this lease. */
    identity: string | null;
    judge_class: string | null;
    leased_ms: number | null;
    expires_ms: number | null;
    /** Leases that ended without an answer. */
    lost: number;
    /** Seconds that the tenant was charged in advance. */
    charged_s: number;
    /** 1: its worker holds nothing else, so that a crash is its own. */
    alone: number;
    judgement_n: number | null;
    error: string | null;
  };
  leases: {
    submission_n: number;
    generation: number;
    worker: string;
    began_ms: number;
    ended_ms: number | null;
    /** `answered`, `failed`, `lost` or `returned`. */
    how: string | null;
  };
  judgements: {
    n: Generated<number>;
    submission_n: number;
    problem: string;
    identity: string;
    device_class: string;
    sources_sha256: string;
    verdict: string;
    correct: number;
    reward: number;
    estimate: number | null;
    low: number | null;
    high: number | null;
    worker: string;
    judged_ms: number;
    document: Uint8Array;
  };
}

export type QueueDb = Kysely<QueueTables>;

/** What every step of a queue's work is given. */
export interface Step {
  readonly db: Transaction<QueueTables>;
  readonly kind: 'sqlite' | 'postgres';
  readonly now_ms: number;
}
