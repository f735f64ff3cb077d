import { describe, expect, it } from 'vitest';

import { foundChanges, notYetTold, spanOf } from '../../src/alerts/found-changes.ts';
import type { TrendChange, TrendPoint } from '../../src/model/history/history.ts';
import type { Verdict } from '../../src/model/judge/verdict.ts';

const commit = (at: number): string => `c${at}`;
const time = (at: number): string => new Date(Date.UTC(2026, 0, 1, at)).toISOString();

function pointsOf(verdicts: Readonly<Record<number, Verdict>>, count = 30): TrendPoint[] {
  return Array.from({ length: count }, (_, at) => ({
    commit: commit(at),
    time: time(at),
    run: `run${at}`,
    level_ms: 1,
    ci_ms: [0.99, 1.01],
    processes: 5,
    samples: 100,
    ...(verdicts[at] === undefined ? {} : { verdict: verdicts[at] }),
  }));
}

function stepAt(at: number, change_pct = -10): TrendChange {
  return {
    kind: 'step',
    commit: commit(at),
    previous_commit: commit(at - 1),
    time: time(at),
    change_pct,
    ci_pct: [change_pct - 1, change_pct + 1],
    p: 1e-6,
  };
}

const toldOf = (at: number, isSlower = true) => ({
  commit_sha: commit(at),
  previous_sha: commit(at - 1),
  time_ms: Date.parse(time(at)),
  isSlower,
});

describe('changes that are told', () => {
  it('a regression that stands is one change, however many checks repeat it', () => {
    const points = pointsOf({
      9: 'maintained',
      10: 'regressed',
      12: 'regressed',
      13: 'undecided',
      14: 'regressed',
    });
    expect(foundChanges(points, []).map((one) => one.commit)).toEqual(['c10']);
  });

  it('a slowdown that was mended and came back is two', () => {
    const points = pointsOf({ 10: 'regressed', 11: 'maintained', 12: 'regressed' });
    expect(foundChanges(points, []).map((one) => one.commit)).toEqual(['c10', 'c12']);
  });

  it('what a check confirmed and the trend shows nearby is one change', () => {
    const points = pointsOf({ 10: 'regressed', 20: 'improved' });
    expect(foundChanges(points, [stepAt(11)]).map(({ kind, commit: sha }) => [kind, sha])).toEqual([
      ['step', 'c11'],
      ['verdict', 'c20'],
    ]);
  });

  it('a step that moved by a few points is the one that was told', () => {
    const points = pointsOf({});
    const told = [spanOf(points, toldOf(10))];
    expect(notYetTold(foundChanges(points, [stepAt(13)]), told)).toEqual([]);
    expect(notYetTold(foundChanges(points, [stepAt(13, 10)]), told)).toHaveLength(1);
    expect(notYetTold(foundChanges(points, [stepAt(20)]), told)).toHaveLength(1);
  });

  it('a second step near the first is told though the first was', () => {
    const points = pointsOf({});
    const found = foundChanges(points, [stepAt(10), stepAt(13)]);
    expect(notYetTold(found, [spanOf(points, toldOf(10))]).map((one) => one.commit)).toEqual(['c13']);
  });

  it('a creep that goes on is the creep that was told', () => {
    const points = pointsOf({});
    const creep = { ...stepAt(25), kind: 'creep' as const, previous_commit: commit(3) };
    const told = spanOf(points, { ...toldOf(12), previous_sha: commit(3) });
    expect(notYetTold(foundChanges(points, [creep]), [told])).toEqual([]);
  });

  it('a change is found again by its time where its commits are gone', () => {
    const points = pointsOf({});
    const told = spanOf(points, { ...toldOf(10), commit_sha: 'gone', previous_sha: 'gone, too' });
    expect(notYetTold(foundChanges(points, [stepAt(10)]), [told])).toEqual([]);
  });
});
