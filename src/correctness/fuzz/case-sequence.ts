import { defined } from '../../model/defined.ts';
import type { FuzzSpace, NamedDims } from '../../config/fuzz-space.ts';
import type { KernelPlan } from '../../config/plan-kernel.ts';
import { generateCase } from '../generate-case.ts';
import type { CorpusEntry } from '../../model/problem/corpus.ts';
import type { FuzzCase, FuzzSource } from '../../model/problem/fuzz-case.ts';
import { Xoshiro128 } from '../../stats/index.ts';

export interface SequencedCase {
  readonly source: FuzzSource;
  readonly name: string;
  readonly case: FuzzCase;
  /** It is run however large it is: somebody named it. */
  readonly isAskedFor: boolean;
  /** It is the smallest of its kind already. */
  readonly isMinimal: boolean;
}

export interface SequenceOptions {
  readonly seed: bigint;
  /** Cases to generate. */
  readonly count: number;
  readonly corpus: readonly CorpusEntry[];
  /** Only the matrix; only named and edge cases of these names; only this case. */
  readonly matrix: boolean;
  readonly names: readonly string[] | undefined;
  readonly replay: FuzzCase | undefined;
}

/** The cases of one kernel in the order in which they are run: first what once failed, at last what is drawn. */
export function* caseSequence(
  plan: KernelPlan,
  space: FuzzSpace,
  options: SequenceOptions,
): Generator<SequencedCase> {
  const { seed, names, replay, count } = options;
  const named = plan.cases.map(({ name, dims }) => ({ name, dims: dimsOf(dims) }));
  if (replay !== undefined) {
    yield { source: 'replay', name: 'replay', case: replay, isAskedFor: true, isMinimal: true };
  } else if (names !== undefined) {
    const isWanted = ({ name }: NamedDims) => names.includes(name);
    yield* declared('edge', space.parts.edges.filter(isWanted), space, seed, true);
    yield* declared('named', named.filter(isWanted), space, seed, true);
  } else if (options.matrix) {
    yield* declared('matrix', space.parts.matrix, space, seed, true);
  } else {
    yield* fromCorpus(plan, space, options.corpus);
    yield* declared('matrix', space.parts.matrix, space, seed, false);
    yield* declared('edge', space.parts.edges, space, seed, false);
    yield* declared('named', named, space, seed, true);
    for (let index = 0; index < count; index++) {
      const drawn = generateCase(space, seed, index);
      if (drawn === undefined) return;
      const name = `generated-${index}`;
      yield { source: 'generated', name, case: drawn, isAskedFor: true, isMinimal: false };
    }
  }
}

/** How many cases there are before the generated ones. */
export function declaredCount(plan: KernelPlan, space: FuzzSpace, options: SequenceOptions): number {
  return [...caseSequence(plan, space, { ...options, count: 0 })].length;
}

/** What failed in this kernel, and what failed in another of the same problem and is one that this one takes. */
function* fromCorpus(
  plan: KernelPlan,
  space: FuzzSpace,
  corpus: readonly CorpusEntry[],
): Generator<SequencedCase> {
  for (const entry of corpus) {
    const { dims, dtype, values, seed } = entry;
    const isOwn = entry.kernel === plan.name;
    const isTaken =
      entry.problem === plan.problem && space.contains(dims) && space.parts.dtypes.includes(dtype);
    if (!isOwn && !isTaken) continue;
    const each = { dims, ...defined({ dtype }), values, seed };
    yield { source: 'corpus', name: 'corpus', case: each, isAskedFor: isOwn, isMinimal: isOwn };
  }
}

/** Declared cases in every type, with the values that pawl.yaml gives them. */
function* declared(
  source: 'matrix' | 'edge' | 'named',
  cases: readonly NamedDims[],
  space: FuzzSpace,
  seed: bigint,
  isAskedFor: boolean,
): Generator<SequencedCase> {
  const random = new Xoshiro128(seed ^ SOURCE_SEEDS[source]);
  for (const { name, dims } of cases) {
    for (const dtype of space.parts.dtypes) {
      const digits = (BigInt(random.nextUint32()) << 32n) | BigInt(random.nextUint32());
      const plan = space.plan(name, dims, dtype);
      if (plan === undefined) continue;
      const each: FuzzCase = {
        dims: dimsOf(plan.dims),
        ...defined({ dtype }),
        values: {},
        seed: digits.toString(),
      };
      yield { source, name, case: each, isAskedFor, isMinimal: false };
    }
  }
}

/** So that no two sources draw the same inputs. */
const SOURCE_SEEDS = { matrix: 0x6d61n, edge: 0x6564n, named: 0x6e61n } as const;

function dimsOf(dims: readonly { readonly name: string; readonly value: number }[]): Record<string, number> {
  return Object.fromEntries(dims.map(({ name, value }) => [name, value]));
}
