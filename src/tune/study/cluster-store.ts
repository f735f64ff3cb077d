import type { Mode } from '../../model/problem/mode.ts';
import type { Confirmation } from '../../model/tune/study-report.ts';
import type { StudyIdentity, StudySettings, StudySubject } from '../../model/tune/study-settings.ts';
import type { Lease, Proposal, TrialLedger } from './trial-ledger.ts';

/** What a study is about, as a worker finds it on its node. */
export interface StudyDescription {
  readonly subject: StudySubject;
  readonly identity: StudyIdentity;
}

/** What is asked of a study before anybody has seen a device. */
export interface NewStudy {
  readonly id: string;
  readonly kernel: string;
  readonly case: string;
  readonly mode: Mode | undefined;
  readonly settings: StudySettings;
  /** Workers at a time: a study that may cost money pays for each. */
  readonly pilots: number;
  /** How long a worker that is not heard of keeps its trials. */
  readonly lease_s: number;
}

export interface ClusterStudy extends NewStudy {
  /** Absent until the first worker is there. */
  readonly described: StudyDescription | undefined;
  /** Why the search ended; absent: it goes on. */
  readonly searched_by: string | undefined;
  readonly isConfirmed: boolean;
  /** Seconds in which anybody worked on it. */
  readonly elapsed_s: number;
}

export interface WorkerCard {
  readonly worker: string;
  readonly host: string;
  /** The GPU's UUID: its index is another one on every node, and the same one for everybody under cgroups. */
  readonly device: string | undefined;
}

export interface KnownWorker extends WorkerCard {
  readonly isHere: boolean;
  readonly seconds: number;
  /** Why it would not work on the study. */
  readonly refusal: string | undefined;
}

/** The store of one study that many workers share. Its time decides about leases, not theirs. */
export interface ClusterStore extends TrialLedger {
  study(): Promise<ClusterStudy>;
  /** What the study is about is what its first worker says; every caller gets that. */
  describe(description: StudyDescription): Promise<StudyDescription>;
  join(card: WorkerCard): Promise<void>;
  /** Still here: all that the worker holds is its own for another lease. */
  beat(worker: string): Promise<void>;
  /** What it held is free at once. */
  leave(worker: string, refusal?: string): Promise<void>;
  /** With a token of the caller's choice the same call again gives the same lease. */
  reclaim(worker: string, token?: string): Promise<Lease | undefined>;
  propose(proposal: Proposal, worker: string, token?: string): Promise<Lease | undefined>;
  /** Comes back when all that was told through this store is read, and `trials` knows what of it counted. */
  settled(): Promise<void>;
  endSearch(by: string): Promise<void>;
  confirmations(): Promise<readonly Confirmation[]>;
  /** The first one of a trial counts. */
  confirm(confirmation: Confirmation): Promise<void>;
  endConfirmation(): Promise<void>;
  close(): Promise<void>;
}
