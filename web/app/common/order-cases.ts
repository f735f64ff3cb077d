import type { SideCase } from '../../../src/model/history/sides-comparison.ts';
import { byUrgency } from '../../../src/model/judge/verdict.ts';
import { plainChangePct } from '../../../src/report/text/sides-text.ts';

/** What cases of two sides can be ordered by; `-` before it turns it round. */
export const CASE_ORDERS = {
  worst: 'worst first',
  name: 'name',
  change: 'slowest first',
  '-change': 'fastest first',
  a: 'shortest in A',
  '-b': 'longest in B',
} as const;

type Compare = (one: SideCase, other: SideCase) => number;

const ORDERS: Readonly<Record<string, Compare>> = {
  worst: (one, other) => {
    const [verdict, otherVerdict] = [one.verdict, other.verdict];
    if (verdict === undefined || otherVerdict === undefined)
      return Number(verdict === undefined) - Number(otherVerdict === undefined);
    return byUrgency({ verdict }, { verdict: otherVerdict }) || number(one.change_pct, other.change_pct);
  },
  name: ({ key: one }, { key: other }) =>
    text(one.kernel, other.kernel) || text(one.case, other.case) || text(one.mode, other.mode),
  change: (one, other) =>
    number(one.change_pct ?? plainChangePct(one), other.change_pct ?? plainChangePct(other)),
  a: ({ a: one }, { a: other }) => number(one?.level_ms, other?.level_ms),
  b: ({ b: one }, { b: other }) => number(one?.level_ms, other?.level_ms),
};

/** What has no number stays behind, whichever way. */
function number(one: number | undefined, other: number | undefined): number {
  if (one === undefined || other === undefined)
    return Number(one === undefined) - Number(other === undefined);
  return one - other;
}

const collator = new Intl.Collator('en', { numeric: true });

function text(one: string, other: string): number {
  return collator.compare(one, other);
}

export function orderCases(cases: readonly SideCase[], by: string | undefined): SideCase[] {
  const isDown = by?.startsWith('-') === true;
  const order = ORDERS[(isDown ? by?.slice(1) : by) ?? ''] ?? ORDERS['worst']!;
  const measured = (one: SideCase): boolean => one.verdict !== undefined || plainChangePct(one) !== undefined;
  if (!isDown) return cases.toSorted(order);
  return cases.toSorted(
    (one, other) => Number(!measured(one)) - Number(!measured(other)) || order(other, one),
  );
}

/** Groups in the order of their first case, so that what comes first still does. */
export function inGroups(cases: readonly SideCase[]): SideCase[] {
  const byKernel = new Map<string, SideCase[]>();
  for (const one of cases) {
    const known = byKernel.get(one.key.kernel);
    if (known === undefined) byKernel.set(one.key.kernel, [one]);
    else known.push(one);
  }
  return [...byKernel.values()].flat();
}
