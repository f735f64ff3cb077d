import { dimValues } from '../../config/constraints.ts';
import type { CasePlan } from '../../config/plan-kernel.ts';

/** Cases that differ in nothing but their size, from the smallest on. */
export interface CaseFamily {
  /** The dimension that differs, or those. */
  readonly dim: string;
  readonly cases: readonly CasePlan[];
}

/** Independent work beside other work: what a batch and heads are called. */
const BATCH = /^(?:b|h|n?batch(?:es|_?size)?|n?_?heads)$/i;

/** The largest family in one dimension that is neither batch nor heads; of equals the one with the goal's case. */
export function sizeFamily(cases: readonly CasePlan[], goal: string): CaseFamily | undefined {
  const names = dimNames(cases).filter((name) => !BATCH.test(name));
  const all = names.flatMap((dim) => families(cases, [dim]).map((family) => ({ dim, cases: family })));
  return largest(all, goal);
}

/** The largest family in which only batch or heads differ. */
export function batchFamily(cases: readonly CasePlan[], goal: string): CaseFamily | undefined {
  const names = dimNames(cases).filter((name) => BATCH.test(name));
  if (names.length === 0) return undefined;
  const dim = names.join('·');
  return largest(
    families(cases, names).map((family) => ({ dim, cases: family })),
    goal,
  );
}

function dimNames(cases: readonly CasePlan[]): string[] {
  return [...new Set(cases.flatMap(({ dims }) => dims.map(({ name }) => name)))];
}

/** Cases by all their other dimensions; ones of the same extent are one size, and the first stands for it. */
function families(cases: readonly CasePlan[], varying: readonly string[]): CasePlan[][] {
  const byRest = new Map<string, Map<number, CasePlan>>();
  for (const one of cases) {
    const dims = dimValues(one);
    const rest = Object.entries(dims).filter(([name]) => !varying.includes(name));
    const key = JSON.stringify(rest);
    const extent = varying.reduce((product, name) => product * (dims[name] ?? 1), 1);
    const family = byRest.get(key) ?? new Map<number, CasePlan>();
    if (!family.has(extent)) family.set(extent, one);
    byRest.set(key, family);
  }
  return [...byRest.values()].map((family) =>
    [...family].toSorted(([one], [other]) => one - other).map(([, plan]) => plan),
  );
}

function largest(all: readonly CaseFamily[], goal: string): CaseFamily | undefined {
  const has = ({ cases }: CaseFamily) => Number(cases.some(({ name }) => name === goal));
  return all
    .filter(({ cases }) => cases.length > 1)
    .toSorted((one, other) => other.cases.length - one.cases.length || has(other) - has(one))[0];
}
