import { describe, expect, it } from 'vitest';

import { compareLines, type LinesSide } from '../../../src/profile/lines/compare-lines.ts';
import { followLines } from '../../../src/profile/lines/follow-lines.ts';
import { causeText } from '../../../src/report/text/line-text.ts';
import { captured, hot, sourcesOf, type Version } from './planted-lines.ts';

function side(version: Version, name: string, duration_us: number): LinesSide {
  return {
    hot: hot(version, name),
    captured: captured(version, name),
    duration_us,
    sources: sourcesOf(version),
  };
}

describe('lines between two revisions', () => {
  it('name the line of a header that changed and got slower, although all lines moved', () => {
    const { lines, cause } = compareLines(
      side('mended', 'header-row-sum', 26.1),
      side('faulty', 'header-row-sum', 376.3),
    );
    expect(cause).toMatchObject({ file: 'row-sum.cuh', line: 10, how: 'itself' });
    expect(cause!.change_us).toBeGreaterThan(300);
    expect(lines[0]).toMatchObject({ file: 'row-sum.cuh', line: 10, changed: true });
    expect(causeText(cause!)).toMatch(
      /^row-sum\.cuh:10, which changed, takes 35\d\.\d µs more: sum \+= tile/u,
    );
  });

  it('name the changed line whose result the slower line computes with', () => {
    const was = side('mended', 'constant-divergent', 12.4);
    const is = side('faulty', 'constant-divergent', 1458.7);
    const { lines, cause } = compareLines(was, is);
    expect(lines[0]).toMatchObject({ line: 14, before_line: 11, changed: false });
    expect(cause).toMatchObject({ line: 13, how: 'feeds', slower: { line: 14 } });
  });

  it('of the same code say that nothing changed', () => {
    const same = side('faulty', 'header-row-sum', 376.3);
    expect(compareLines(same, same)).toEqual({ lines: [] });
  });

  it('of the same text name what got slower, and do not claim a change', () => {
    const { cause } = compareLines(
      side('faulty', 'header-row-sum', 100),
      side('faulty', 'header-row-sum', 376.3),
    );
    expect(cause).toMatchObject({ file: 'row-sum.cuh', line: 10, how: 'unchanged' });
  });

  it('do not differ by what other samples of the same code would differ by', () => {
    const line = (number: number, share_pct: number) => ({
      file: 'a.cpp',
      line: number,
      share_pct,
      samples: share_pct,
      stalls: {},
      instructions: [],
    });
    const sampled = (samples: number, first: number): LinesSide => ({
      hot: {
        kernel: 'a',
        basis: 'timer-samples',
        samples,
        located_pct: 100,
        lines: [line(1, first), line(2, 100 - first)],
      },
      duration_us: 100,
      sources: { linesOf: () => undefined, nameOf: (file) => file },
    });
    // Shares of 50 and 56 %: of 100 samples each within one standard error, of 10,000 far outside.
    expect(compareLines(sampled(100, 50), sampled(100, 56)).lines).toEqual([]);
    expect(compareLines(sampled(10_000, 50), sampled(10_000, 56)).lines).toHaveLength(2);
  });
});

describe('lines of a file', () => {
  it('are followed through insertions, removals and indentation', () => {
    const { beforeOf, hunks } = followLines(['a', 'b', 'c', 'd'], ['x', 'a', '  b', 'C', 'd']);
    expect([...beforeOf]).toEqual(
      expect.arrayContaining([
        [2, 1],
        [3, 2],
        [5, 4],
      ]),
    );
    expect(beforeOf.has(4)).toBe(false);
    expect(hunks).toEqual([
      { before: [1, 1], after: [1, 2] },
      { before: [3, 4], after: [4, 5] },
    ]);
  });

  it('that were removed at the end are a hunk', () => {
    expect(followLines(['a', 'b'], ['a']).hunks).toEqual([{ before: [2, 3], after: [2, 2] }]);
  });
});
