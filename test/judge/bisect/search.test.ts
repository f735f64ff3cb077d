import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { BisectAnswer } from '../../../src/model/reports/bisect-report.ts';
import type { TrendChange } from '../../../src/model/history/history.ts';
import { priorWeights } from '../../../src/judge/bisect/prior-weights.ts';
import { narrowed, nextProbe, stepsLeft } from '../../../src/judge/bisect/search.ts';

/** Answers until nothing is left to try. */
function search(weights: readonly number[], guilty: number, broken: ReadonlySet<number> = new Set()) {
  const answers = new Map<number, BisectAnswer>();
  for (let probe = nextProbe({ answers, weights }); probe !== undefined;) {
    expect(answers.has(probe)).toBe(false);
    answers.set(probe, broken.has(probe) ? 'skipped' : probe >= guilty ? 'bad' : 'good');
    probe = nextProbe({ answers, weights });
  }
  return { ...narrowed({ answers, weights }), probes: answers.size, answers };
}

const even = (count: number): number[] => Array.from({ length: count }, () => 1);

describe('nextProbe', () => {
  it('finds any guilty commit in the logarithm of as many probes', () => {
    for (const count of [1, 2, 3, 7, 64, 100]) {
      for (let guilty = 0; guilty < count; guilty++) {
        const found = search(even(count), guilty);
        expect(found).toMatchObject({ lastGood: guilty - 1, firstBad: guilty });
        expect(found.probes).toBeLessThanOrEqual(Math.ceil(Math.log2(count)));
      }
      expect(stepsLeft({ answers: new Map(), weights: even(count) })).toBe(Math.ceil(Math.log2(count)));
    }
  });

  it('ends in a range that holds the guilty commit and else only commits that cannot be measured', () => {
    const question = fc
      .integer({ min: 1, max: 60 })
      .chain((count) =>
        fc.tuple(
          fc.array(fc.double({ min: 0.01, max: 1, noNaN: true }), { minLength: count, maxLength: count }),
          fc.nat({ max: count - 1 }),
          fc.uniqueArray(fc.nat({ max: count - 1 })),
        ),
      );
    fc.assert(
      fc.property(question, ([weights, guilty, places]) => {
        // BAD itself was measured.
        const broken = new Set(places.filter((place) => place !== weights.length - 1));
        const { lastGood, firstBad, answers } = search(weights, guilty, broken);
        expect(lastGood).toBeLessThan(guilty);
        expect(firstBad).toBeGreaterThanOrEqual(guilty);
        for (let place = lastGood + 1; place < firstBad; place++) expect(answers.get(place)).toBe('skipped');
      }),
    );
  });

  it('jumps out of a row of broken commits instead of trying one after the other', () => {
    const broken = new Set(Array.from({ length: 40 }, (_, k) => 30 + k));
    // Both ends of the row have to be met, and its middle is tried a few times only, when the guilty one is elsewhere.
    expect(search(even(100), 10, broken).probes).toBeLessThan(16);
    expect(search(even(100), 90, broken).probes).toBeLessThan(16);
  });

  it('splits around a commit that stays undecided', () => {
    const answers = new Map<number, BisectAnswer>([[3, 'undecided']]);
    const weights = even(8);
    expect([2, 4]).toContain(nextProbe({ answers, weights }));
  });
});

describe('priorWeights', () => {
  const shas = Array.from({ length: 32 }, (_, place) => `sha${place}`);
  const step = (commit: number, previous: number, change_pct: number): TrendChange => ({
    kind: 'step',
    commit: `sha${commit}`,
    previous_commit: `sha${previous}`,
    time: '2026-01-01T00:00:00.000Z',
    change_pct,
    ci_pct: [change_pct - 1, change_pct + 1],
    p: 0.001,
  });

  it('has the commit that history suspects, and the one before it, tried first', () => {
    const { weights, from } = priorWeights(shas, [step(20, 19, -30)]);
    expect(from).toBe('history');
    expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 12);
    const found = search(weights, 20);
    expect(found).toMatchObject({ lastGood: 19, firstBad: 20, probes: 2 });
  });

  it('finds the guilty commit also where history is wrong', () => {
    const { weights } = priorWeights(shas, [step(20, 19, -30)]);
    expect(search(weights, 4)).toMatchObject({ lastGood: 3, firstBad: 4 });
  });

  it('shares the suspicion among commits that were never measured', () => {
    const { weights } = priorWeights(shas, [step(20, 16, -30)]);
    expect(weights[17]).toBe(weights[20]);
    expect(weights[16]).toBeLessThan(weights[17]!);
  });

  it('takes no hint from what got faster, crept, or happened elsewhere', () => {
    const elsewhere = { ...step(3, 2, -30), commit: 'other' };
    const { weights, from } = priorWeights(shas, [
      step(3, 2, 30),
      { ...step(9, 2, -30), kind: 'creep' },
      elsewhere,
    ]);
    expect(from).toBe('none');
    expect(new Set(weights).size).toBe(1);
  });
});
