import type { HistoryRun } from '../model/history/history.ts';
import type { Verdict } from '../model/judge/verdict.ts';

/** What a measurement says of its key: the numbers of `measurements.on_trend`. */
export const STANDING = {
  /** Of files that no commit holds: the overview shows it only of a key that has nothing better. */
  loose: 0,
  /** A point of the trend. */
  point: 1,
  /** A commit's verdict without a level, as of a wrong result: the last level stays, under this verdict. */
  verdict: 2,
  /** Made for a session's try, whose files may be thrown away: part of the session and of nothing else. */
  apart: 3,
} as const;
export type Standing = (typeof STANDING)[keyof typeof STANDING];

export interface StandingFacts {
  readonly kind: HistoryRun['kind'];
  readonly isHead: boolean;
  readonly commit: string | undefined;
  readonly dirty: boolean | undefined;
  readonly hasLevel: boolean;
  readonly verdict: Verdict | undefined;
}

export function standingOf({ kind, isHead, commit, dirty, hasLevel, verdict }: StandingFacts): Standing {
  if (kind === 'session') return STANDING.apart;
  if (!isHead || commit === undefined || dirty === true) return STANDING.loose;
  if (hasLevel && verdict !== 'incorrect') return STANDING.point;
  return verdict === undefined ? STANDING.loose : STANDING.verdict;
}
