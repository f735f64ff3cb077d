import type { Trial, TrialDetails, TrialOutcome } from '../../model/tune/study.ts';
import type { Variant } from '../../model/problem/variant.ts';

/** A worker's right to measure one trial, until it expires. */
export interface Lease {
  readonly trial: Trial;
  /** Fences this holder from an earlier one of the same trial. */
  readonly token: string;
}

export interface Proposal {
  readonly variant: Variant;
  readonly phase: Trial['phase'];
}

/**
 * Where the trials of one study are written down: a journal for one machine, a database for many. A trial is
 * asked for once and told of once, whatever dies in between.
 */
export interface TrialLedger {
  /** Every trial so far, by number, with its outcome. */
  trials(): Promise<readonly Trial[]>;
  /** A trial whose holder is gone; the caller holds it now. */
  reclaim(worker: string): Promise<Lease | undefined>;
  /** Writes a new trial down and leases it; undefined where its variant is in the study already. */
  propose(proposal: Proposal, worker: string): Promise<Lease | undefined>;
  /** Still here: false where the lease was lost, and with it the right to tell. */
  renew(lease: Lease): Promise<boolean>;
  /** False: the lease was lost, and the outcome is refused. */
  tell(lease: Lease, outcome: TrialOutcome, details?: TrialDetails): Promise<boolean>;
}
