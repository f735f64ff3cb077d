import type { CaseDims, Problem } from './problem-schema.ts';

/** Cases by name. */
export type Cases = ReadonlyMap<string, CaseDims>;

export interface MatchedCases {
  /** What a case is called in the other set, by what it is called in the first. */
  readonly renamed: ReadonlyMap<string, string>;
  /** Of the first set, and not in the other. */
  readonly removed: readonly string[];
  /** In both under one name, with different dimensions. */
  readonly changed: readonly string[];
  /** Of the other set, and not in the first. */
  readonly added: readonly string[];
}

/** Which cases of two sets are the same: by name, or, where one set does not have the name, by dimensions. */
export function matchCases(
  before: { readonly cases: Cases; readonly problem: Problem },
  after: { readonly cases: Cases; readonly problem: Problem },
): MatchedCases {
  const shared = [...before.cases.keys()].filter((name) => after.cases.has(name));
  const gone = [...before.cases.keys()].filter((name) => !after.cases.has(name));
  const added = new Set([...after.cases.keys()].filter((name) => !before.cases.has(name)));
  const renamed = new Map<string, string>();
  for (const name of gone) {
    const dims = dimsText(before.problem, before.cases.get(name)!);
    const now = [...added].find((other) => dimsText(after.problem, after.cases.get(other)!) === dims);
    if (now === undefined) continue;
    renamed.set(name, now);
    added.delete(now);
  }
  return {
    renamed,
    removed: gone.filter((name) => !renamed.has(name)),
    changed: shared.filter(
      (name) =>
        dimsText(before.problem, before.cases.get(name)!) !== dimsText(after.problem, after.cases.get(name)!),
    ),
    added: [...added],
  };
}

/**
 * Every dimension and scalar with its value, `B=2 N=1024 eps=1e-5`: what makes two cases one, whatever the order they
 * are written in.
 */
export function dimsText({ dims, scalars }: Pick<Problem, 'dims' | 'scalars'>, values: CaseDims): string {
  const standards = scalars.map((scalar) => ({ name: scalar.name, default: scalar.default?.source ?? null }));
  return [...dims, ...standards]
    .map(({ name, default: standard }) => {
      const own = Object.hasOwn(values, name) ? values[name] : undefined;
      return `${name}=${own ?? standard ?? '?'}`;
    })
    .toSorted()
    .join(' ');
}
