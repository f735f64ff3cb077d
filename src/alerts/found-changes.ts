import type { TrendChange, TrendPoint } from '../model/history/history.ts';
import type { Verdict } from '../model/judge/verdict.ts';

/** A change of one trend that counts: found in the trend, or confirmed by a check. */
export interface FoundChange extends Pick<
  TrendChange,
  'commit' | 'previous_commit' | 'time' | 'hosts' | 'settings'
> {
  readonly kind: 'step' | 'creep' | 'verdict';
  /** Of a check's verdict, what its run says. */
  readonly change_pct?: number;
  readonly ci_pct?: TrendChange['ci_pct'];
  /** The run that measured its commit. */
  readonly run: string;
  /** The places in the trend that it lies between. */
  readonly span: Span;
}

export interface Span {
  readonly first: number;
  readonly last: number;
  readonly isSlower: boolean;
}

/**
 * Where a step lies is known only so well: with more points it may move by a few, and a check may have seen it at a
 * neighbouring commit.
 */
const NEAR_POINTS = 5;

/** Changes of a trend, oldest first; what a check confirmed and the trend shows, too, is one change. */
export function foundChanges(
  points: readonly TrendPoint[],
  changes: readonly TrendChange[],
): readonly FoundChange[] {
  const places = new Map(points.map(({ commit }, at) => [commit, at]));
  const inTrend = changes.flatMap((change): FoundChange[] => {
    const { kind, commit, previous_commit, time, change_pct, ci_pct, hosts, settings } = change;
    const last = places.get(commit);
    const first = places.get(previous_commit);
    if (last === undefined || first === undefined) return [];
    return [
      {
        kind,
        commit,
        previous_commit,
        time,
        change_pct,
        ci_pct,
        ...(hosts === undefined ? {} : { hosts }),
        ...(settings === undefined ? {} : { settings }),
        run: points[last]!.run,
        span: { first, last, isSlower: change_pct < 0 },
      },
    ];
  });
  const confirmed = confirmedByChecks(points).filter(
    ({ span }) => !inTrend.some((change) => isNear(change.span, span)),
  );
  return [...inTrend, ...confirmed].toSorted((one, other) => one.span.last - other.span.last);
}

/**
 * A check compares with the baseline, which a regression does not move: all checks after it say the same again. Only
 * the first of them is a change. Commits that were not judged lie between them without ending anything.
 */
function confirmedByChecks(points: readonly TrendPoint[]): FoundChange[] {
  let before: Verdict | undefined;
  return points.flatMap((point, at): FoundChange[] => {
    const { verdict, commit, time, run } = point;
    if (verdict === undefined || verdict === 'undecided') return [];
    const isNews = (verdict === 'regressed' || verdict === 'improved') && verdict !== before;
    before = verdict;
    const previous = points[at - 1];
    if (!isNews || previous === undefined) return [];
    return [
      {
        kind: 'verdict',
        commit,
        previous_commit: previous.commit,
        time,
        run,
        span: { first: at - 1, last: at, isSlower: verdict === 'regressed' },
      },
    ];
  });
}

function isNear(one: Span, other: Span): boolean {
  return one.isSlower === other.isSlower && distance(one, other) <= NEAR_POINTS;
}

/** In points; 0 where they overlap. */
function distance(one: Span, other: Span): number {
  return Math.max(0, one.first - other.last, other.first - one.last);
}

/** Those that none of `told` stands for. One that was told stands for one change, the nearest that it can be. */
export function notYetTold(found: readonly FoundChange[], told: readonly Span[]): readonly FoundChange[] {
  const pairs = found
    .flatMap((change) => told.filter((span) => isNear(change.span, span)).map((span) => ({ change, span })))
    .toSorted((one, other) => distance(one.change.span, one.span) - distance(other.change.span, other.span));
  const known = new Set<FoundChange>();
  const used = new Set<Span>();
  for (const { change, span } of pairs) {
    if (known.has(change) || used.has(span)) continue;
    known.add(change);
    used.add(span);
  }
  return found.filter((change) => !known.has(change));
}

/** Where a change that was told lies in a trend as it is now; by its time where its commits are gone. */
export function spanOf(
  points: readonly TrendPoint[],
  told: {
    readonly commit_sha: string;
    readonly previous_sha: string | null;
    readonly time_ms: number;
    readonly isSlower: boolean;
  },
): Span {
  const placeOf = (sha: string | null): number | undefined => {
    const at = points.findIndex(({ commit }) => commit === sha);
    return at < 0 ? undefined : at;
  };
  const after = points.findIndex(({ time }) => Date.parse(time) >= told.time_ms);
  const last = placeOf(told.commit_sha) ?? (after < 0 ? points.length - 1 : after);
  const first = placeOf(told.previous_sha) ?? last - 1;
  return { first: Math.min(first, last), last, isSlower: told.isSlower };
}
