import type { Judgement, JudgementError } from '../model/queue/judgement.ts';
import type { PruneAsked, QueuePruned } from '../model/queue/queue-prune.ts';
import type {
  Leaderboard,
  QueueRole,
  QueueStatus,
  SubmissionAnswer,
  SubmissionRequest,
  Tenant,
} from '../model/queue/queue.ts';

export interface SubmitAsked extends SubmissionRequest {
  readonly tenant: string;
  /** Of the files, as the judge hashes them. */
  readonly sources_sha256: string;
}

/** Why a submission was not taken: an answer like any other, told apart by `limit`. */
export interface Refusal {
  readonly state: 'refused';
  readonly limit:
    | 'unknown-tenant'
    | 'suspended'
    | 'unknown-problem'
    | 'other-sources'
    | 'too-fast'
    | 'queue-full'
    | 'day-full';
  readonly message: string;
  readonly hint?: string;
  /** When to come again. */
  readonly wait_s?: number;
}

export interface Submitted {
  readonly state: 'taken';
  readonly id: string;
  /** False: the same client id was sent before. */
  readonly isNew: boolean;
}

/** What a worker can judge: of another identity than the queue's newest for this class, it is given nothing. */
export interface OfferedJudge {
  readonly problem: string;
  readonly device_class: string;
  readonly identity: string;
  readonly reference: string;
}

export interface LeaseAsked {
  readonly worker: string;
  readonly judges: readonly OfferedJudge[];
  /** How many submissions it holds. */
  readonly holds: number;
  readonly lease_s: number;
}

/** What a worker holds, and under which generation: an older one's answer does not count. */
export interface LeaseKey {
  readonly id: string;
  readonly generation: number;
}

export interface Lease extends LeaseKey {
  readonly state: 'leased';
  readonly judge: OfferedJudge;
  readonly files: Readonly<Record<string, string>>;
  readonly sources_sha256: string;
  /** A worker was lost with it: it is to be held alone, so that no other submission is blamed. */
  readonly alone: boolean;
}

/**
 * `nothing`: nothing waits that this worker can judge. `drain`: what is next has to be held alone, so finish what you
 * hold first.
 */
type LeaseAnswer = Lease | { readonly state: 'nothing' } | { readonly state: 'drain' };

export interface Caller {
  readonly token: string;
  readonly tenant: string;
  readonly roles: readonly QueueRole[];
}

/** A submission as its tenant may see it. */
export interface Found {
  readonly tenant: string;
  readonly answer: SubmissionAnswer;
  readonly isFinished: boolean;
}

export interface TokenAsked {
  readonly tenant: string;
  readonly roles: readonly QueueRole[];
  readonly label?: string;
  readonly days?: number;
}

/** Submissions, leases and judgements of many tenants and workers; SQLite on one machine, PostgreSQL for several. */
export interface Queue {
  readonly place: string;
  /** Makes a tenant, or changes what is given. */
  putTenant(name: string, settings: Partial<Omit<Tenant, 'name'>>): Promise<Tenant>;
  /** The token itself is told once, and only its hash kept. */
  createToken(asked: TokenAsked): Promise<{ readonly id: string; readonly token: string }>;
  /** False: there is none of that id, or it is revoked. */
  revokeToken(id: string): Promise<boolean>;
  /** Who holds a token that is valid now. */
  callerOf(token: string): Promise<Caller | undefined>;

  /** Problems that may be submitted to, also where no worker has come yet. */
  offer(problems: readonly string[]): Promise<void>;
  submit(asked: SubmitAsked): Promise<Submitted | Refusal>;
  find(id: string): Promise<Found | undefined>;
  /** Of these, the ones that have their answer or never will. */
  finished(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** No files: retention removed them. */
  sources(
    id: string,
  ): Promise<{ readonly tenant: string; readonly files: Record<string, string> } | undefined>;
  /** False: it is not waiting. */
  cancel(id: string): Promise<boolean>;

  /** A worker comes, and says what it can judge. */
  join(worker: string, judges: readonly OfferedJudge[]): Promise<void>;
  leave(worker: string): Promise<void>;
  lease(asked: LeaseAsked): Promise<LeaseAnswer>;
  /** Renews leases; answers which of them are still the worker's. */
  beat(worker: string, held: readonly LeaseKey[], lease_s: number): Promise<ReadonlySet<string>>;
  /** False: the lease was over, and nothing was written. */
  answer(worker: string, lease: LeaseKey, judgement: Judgement): Promise<boolean>;
  /** The worker could not judge it, through no fault of the candidate: others may. */
  fail(worker: string, lease: LeaseKey, error: JudgementError['error']): Promise<boolean>;
  /** Unharmed, and not counted: the worker ends. */
  giveBack(worker: string, lease: LeaseKey): Promise<boolean>;
  /** Takes away leases that ran out. */
  reap(): Promise<number>;

  /** Removes what is finished and old, in short transactions, while others work. */
  prune(asked: PruneAsked): Promise<QueuePruned>;

  status(): Promise<QueueStatus>;
  leaderboard(problem: string, device_class: string | undefined): Promise<Leaderboard | undefined>;
  close(): Promise<void>;
}
