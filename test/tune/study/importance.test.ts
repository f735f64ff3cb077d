import { describe, expect, it } from 'vitest';

import type { StudyParameter } from '../../../src/model/tune/study-settings.ts';
import type { Trial } from '../../../src/model/tune/study.ts';
import { nextBelow, Xoshiro128 } from '../../../src/stats/index.ts';
import { parameterImportance } from '../../../src/tune/study/importance.ts';

const PARAMETERS: StudyParameter[] = [
  { name: 'A', kind: 'ordered', values: [1, 2, 4, 8] },
  { name: 'B', kind: 'categorical', values: ['x', 'y', 'z'] },
  { name: 'C', kind: 'boolean', values: [false, true] },
  { name: 'D', kind: 'ordered', values: [7] },
];

/** Trials at random points with the time that a formula gives to the indices. */
function trials(count: number, log: (a: number, b: number, c: number) => number): Trial[] {
  const random = new Xoshiro128(3);
  return Array.from({ length: count }, (_, index) => {
    const [a, b, c] = [nextBelow(random, 4), nextBelow(random, 3), nextBelow(random, 2)] as const;
    const time_ms = Math.exp(log(a, b, c));
    return {
      number: index + 1,
      variant: {
        A: PARAMETERS[0]!.values[a]!,
        B: PARAMETERS[1]!.values[b]!,
        C: PARAMETERS[2]!.values[c]!,
        D: 7,
      },
      phase: 'search',
      outcome: {
        status: 'measured',
        time_ms,
        median_ms: time_ms,
        samples: 9,
        processes: 1,
        stopped_early: false,
      },
    };
  });
}

function shares(found: ReturnType<typeof parameterImportance>): Record<string, number> {
  return Object.fromEntries(found!.parameters.map(({ name, share }) => [name, share]));
}

describe('parameter importance', () => {
  it('gives all of the variance to the one tunable that matters', () => {
    const found = parameterImportance(
      trials(120, (a) => a),
      PARAMETERS,
      new Xoshiro128(1),
    );
    expect(shares(found).A).toBeGreaterThan(0.95);
    expect(found!.explained).toBeGreaterThan(0.9);
    expect(found!.parameters.map(({ name }) => name)).not.toContain('D');
  });

  it('divides it between two as their variances do, also where one has no order', () => {
    // Variances over equally likely values: A 1.25·1, B 2/9·9 = 2 for the odd value at 3.
    const found = parameterImportance(
      trials(300, (a, b) => a + (b === 1 ? 3 : 0)),
      PARAMETERS,
      new Xoshiro128(1),
    );
    const { A, B, C } = shares(found);
    expect(A).toBeCloseTo(1.25 / 3.25, 1);
    expect(B).toBeCloseTo(2 / 3.25, 1);
    expect(C).toBeLessThan(0.02);
  });

  it('sees what only two together do', () => {
    const found = parameterImportance(
      trials(300, (a, _, c) => (a < 2 === (c === 1) ? 2 : 0)),
      PARAMETERS,
      new Xoshiro128(1),
    );
    expect(found!.pairs[0]).toMatchObject({ names: ['A', 'C'] });
    expect(found!.pairs[0]!.share).toBeGreaterThan(0.7);
  });

  it('claims nothing where times are equal or chance alone, nor from few trials', () => {
    const chance = new Xoshiro128(7);
    const given: readonly Trial[][] = [
      trials(50, () => 1),
      trials(50, () => 1 + chance.nextOpen()),
      trials(9, (a) => a),
    ];
    for (const each of given) {
      expect(parameterImportance(each, PARAMETERS, new Xoshiro128(1))).toBeUndefined();
    }
  });
});
