import { describe, expect, it } from 'vitest';

import { rankFixes } from '../../../src/learn/advice/rank-fixes.ts';
import { rankedFixSchema, type FixOutcome } from '../../../src/model/learn/advice.ts';
import type { Finding } from '../../../src/model/profile/diagnosis.ts';
import { finding, HERE, outcome, times } from './records.ts';

const FINDINGS = [
  finding('bank-conflicts', 20),
  finding('low-occupancy', 18),
  finding('tail-wave', 12),
] as const;

function rank(outcomes: readonly FixOutcome[], findings: readonly Finding[] = FINDINGS) {
  const fixes = rankFixes({ findings, outcomes, ...HERE });
  for (const fix of fixes) expect(rankedFixSchema.safeParse(fix).error).toBeUndefined();
  return fixes;
}

function gain(outcomes: readonly FixOutcome[], rule = 'bank-conflicts'): number {
  return rank(outcomes).find((fix) => fix.rule === rule)!.expected_gain_pct;
}

const rulesOf = (fixes: readonly { readonly rule: string }[]) => fixes.map(({ rule }) => rule);

describe('without outcomes', () => {
  it("keeps the rules' own order, and says that nothing was recorded", () => {
    const fixes = rank([]);
    expect(rulesOf(fixes)).toEqual(['bank-conflicts', 'low-occupancy', 'tail-wave']);
    for (const fix of fixes) {
      expect(fix).toMatchObject({ outcomes: 0, weight: 0, evidence: [] });
      expect(fix.explanation).toContain('nothing was recorded');
    }
  });

  it('keeps it where the rules put a smaller gain first, because that bears on the limiter', () => {
    const findings = [finding('tail-wave', 5), finding('divergence', 30), finding('imbalance', 8)];
    expect(rulesOf(rank([], findings))).toEqual(['tail-wave', 'divergence', 'imbalance']);
  });

  it('keeps it where outcomes are of other rules only', () => {
    const elsewhere = times(20, () => outcome('register-spill', 1));
    const fixes = rank(elsewhere);
    expect(rulesOf(fixes)).toEqual(['bank-conflicts', 'low-occupancy', 'tail-wave']);
    expect(fixes[0]!.explanation).toContain('no such fix was recorded');
    // Rules that keep little of what they promise make one expect less of the others.
    expect(fixes[0]!.expected_gain_pct).toBeLessThan(gain([]));
  });

  it('expects no gain of a kernel that is at its limit', () => {
    const [only] = rank(
      times(5, () => outcome('at-limit', 10)),
      [finding('at-limit', 0)],
    );
    expect(only).toMatchObject({ expected_gain_pct: 0, ci_pct: [0, 0] });
  });

  it('has nothing to say about nothing', () => {
    expect(rank([], [])).toEqual([]);
  });
});

describe('with many outcomes here', () => {
  it('expects what they brought', () => {
    expect(gain(times(2000, () => outcome('bank-conflicts', 4)))).toBeCloseTo(4, 1);
    expect(gain(times(2000, () => outcome('bank-conflicts', -10)))).toBeCloseTo(-10, 0);
  });

  it('expects the same share of what the rule says now, in log time', () => {
    const half = times(2000, () => outcome('bank-conflicts', 100 * (1 - Math.sqrt(0.8))));
    const [fix] = rank(half, [finding('bank-conflicts', 36)]);
    expect(fix!.expected_gain_pct).toBeCloseTo(100 * (1 - Math.sqrt(0.64)), 0);
  });

  it('puts what brings more before what promises more', () => {
    const outcomes = [
      ...times(5, () => outcome('bank-conflicts', 1)),
      ...times(5, () => outcome('low-occupancy', 15)),
    ];
    const fixes = rank(outcomes);
    expect(fixes[0]).toMatchObject({ rule: 'low-occupancy', rank: 1, outcomes: 5 });
    expect(fixes.at(-1)!.rule).toBe('bank-conflicts');
  });

  it('narrows the interval, but never below what one fix differs from the next by', () => {
    const width = (outcomes: readonly FixOutcome[]): number => {
      const [low, high] = rank(outcomes).find(({ rule }) => rule === 'bank-conflicts')!.ci_pct;
      return high - low;
    };
    const spread = times(400, (at) => outcome('bank-conflicts', at % 2 === 0 ? 3 : 13));
    expect(width(spread)).toBeLessThan(width([]));
    expect(width(spread)).toBeGreaterThan(5);
  });

  it('does not depend on the order in which they are read', () => {
    const outcomes = times(30, (at) =>
      outcome('bank-conflicts', at, { kind: at % 3 === 0 ? 'gemm' : 'attention' }),
    );
    expect(gain(outcomes.toReversed())).toBeCloseTo(gain(outcomes), 6);
  });
});

describe('likeness', () => {
  const at = (more: Partial<FixOutcome>) => gain(times(4, () => outcome('bank-conflicts', -5, more)));
  const here = at({});
  const sameFamily = at({ device: 'NVIDIA H100 PCIe' });
  const otherDevice = at({ device: 'NVIDIA L4' });
  const otherKind = at({ kind: 'gemm' });
  const other = at({ kind: 'gemm', device: 'NVIDIA L4' });

  it('lets what is more alike count for more', () => {
    expect(here).toBeLessThan(sameFamily);
    expect(sameFamily).toBeLessThan(otherDevice);
    expect(otherDevice).toBeLessThan(other);
    expect(otherKind).toBeLessThan(other);
    expect(other).toBeLessThan(gain([]));
  });

  it('never lets any number of outcomes elsewhere be as sure as some here', () => {
    const weight = (outcomes: readonly FixOutcome[]): number =>
      rank(outcomes).find(({ rule }) => rule === 'bank-conflicts')!.weight;
    const elsewhere = { kind: 'gemm', device: 'NVIDIA L4' };
    const many = times(3000, () => outcome('bank-conflicts', 5, elsewhere));
    expect(weight(many)).toBeLessThan(weight(times(20, () => outcome('bank-conflicts', 5))));
  });

  it('stops believing other devices where they were wrong about this one', () => {
    const rules = [
      'register-spill',
      'divergence',
      'l2-thrash',
      'legacy-mma',
      'stray-fp64',
      'unfused-fp',
    ] as const;
    const history = (isOpposite: boolean): FixOutcome[] =>
      rules.flatMap((rule, index) => {
        const [there, mirrored] = index % 2 === 0 ? [19, 0] : [0, 19];
        return times(12, (at) =>
          at % 2 === 0
            ? outcome(rule, there, { device: 'NVIDIA L4' })
            : outcome(rule, isOpposite ? mirrored : there),
        );
      });
    const elsewhere = times(6, () => outcome('bank-conflicts', -5, { device: 'NVIDIA L4' }));
    expect(gain([...history(true), ...elsewhere])).toBeGreaterThan(
      gain([...history(false), ...elsewhere]) + 2,
    );
  });
});

describe('what misleads', () => {
  const good = times(5, () => outcome('bank-conflicts', 9));

  it('counts a long session no more than a short one', () => {
    const one = [...good, outcome('bank-conflicts', -12, { session: 'long' })];
    const long = [
      ...good,
      ...times(40, (at) => outcome('bank-conflicts', -12, { session: 'long', try: at + 1 })),
    ];
    expect(gain(long)).toBeGreaterThan(gain(one) - 1);
  });

  it('bounds what a single outcome can do, however far it is off', () => {
    const off = gain([...good, outcome('bank-conflicts', 60)]);
    const further = gain([...good, outcome('bank-conflicts', 98)]);
    const slower = gain([...good, outcome('bank-conflicts', -900)]);
    expect(further - gain(good)).toBeLessThan(4);
    expect(further - off).toBeLessThan(1.5);
    expect(gain(good) - slower).toBeLessThan(4);
  });

  it('survives dates and intervals that make no sense', () => {
    const odd = [
      outcome('bank-conflicts', 5, { date: 'yesterday' }),
      outcome('bank-conflicts', 5, { ci_pct: [5, 5] }),
      outcome('bank-conflicts', 100, { expected_gain_pct: 100 }),
      outcome('bank-conflicts', 5, { expected_gain_pct: 0.001 }),
    ];
    expect(Number.isFinite(gain(odd))).toBe(true);
  });
});

describe('the explanation', () => {
  it('says what the numbers are', () => {
    const changes = [2, 2.5, 4, 5, 5];
    const outcomes = [
      ...changes.map((change) => outcome('bank-conflicts', change)),
      outcome('bank-conflicts', 11, { device: 'NVIDIA L4' }),
      ...times(6, () => outcome('low-occupancy', 14)),
    ];
    const fix = rank(outcomes).find(({ rule }) => rule === 'bank-conflicts')!;
    expect(fix.outcomes).toBe(6);
    expect(fix.explanation).toContain('The rule says up to 20 %');
    expect(fix.explanation).toContain(
      '5 recorded fixes of attention on NVIDIA H200 brought 2.0 to 5.0 %, half of them at least 4.0 %',
    );
    expect(fix.explanation).toContain('1 recorded fix of attention on other devices brought 11 %');
    expect(fix.explanation).toContain(`Expected ${fix.expected_gain_pct.toFixed(1)} %`);
    expect(fix.explanation).toContain(
      `${['first', 'second', 'third'][fix.rank - 1]}, first by the rules alone`,
    );
  });

  it('lists the most alike outcomes first, and no more than can be read', () => {
    const outcomes = [
      ...times(30, () => outcome('bank-conflicts', 5, { device: 'NVIDIA L4' })),
      ...times(2, () => outcome('bank-conflicts', 5)),
    ];
    const fix = rank(outcomes).find(({ rule }) => rule === 'bank-conflicts');
    expect(fix!.outcomes).toBe(32);
    expect(fix!.evidence).toHaveLength(12);
    expect(fix!.evidence.slice(0, 3).map(({ device }) => device)).toEqual([
      'NVIDIA H200',
      'NVIDIA H200',
      'NVIDIA L4',
    ]);
  });
});
