import { Expression } from '../../src/config/expression/expression.ts';
import type { RecordedRow, RecordedSpace } from '../../src/model/tune/recorded-space.ts';
import { normalQuantile } from '../../src/stats/normal.ts';
import { Xoshiro128 } from '../../src/stats/random.ts';
import type { Random } from '../../src/stats/random.ts';

/** Those of `attention-cuda` in pawl.yaml. */
const TUNABLES = [
  { name: 'BLOCK_M', values: [32, 64, 128] },
  { name: 'BLOCK_N', values: [16, 32, 48, 64, 128] },
  { name: 'BLOCK_K', values: [16, 32, 64] },
  { name: 'NUM_WARPS', values: [1, 2, 4, 8] },
  { name: 'STAGES', values: [1, 2, 3, 4] },
  { name: 'UNROLL', values: [1, 2] },
  { name: 'CP_ASYNC', values: [0, 1] },
  { name: 'SWIZZLE', values: [0, 1] },
  { name: 'HALF2', values: [0, 1] },
] as const;

const CONSTRAINTS = [
  'BLOCK_M % (16 * NUM_WARPS) == 0',
  'BLOCK_M // NUM_WARPS // 16 * (BLOCK_N // 2 + 48) <= 176',
];

/** What runs, as no constraint says. */
export const HIDDEN_RULES = {
  /** Values that never run: a gate's or a compiler's rule. */
  values: 'STAGES > 1 and CP_ASYNC == 1',
  /** The same values run where little is asked of the device: in one variant of fifteen. */
  mostly: 'STAGES > 1 and CP_ASYNC == 1 or BLOCK_N == 16 and NUM_WARPS == 1 and BLOCK_K == 16',
  /** Each value runs, but not together. */
  pair: 'SWIZZLE == 1 or BLOCK_K == 16 and STAGES < 3',
  /** A limit, close to which the best variants are. */
  limit: 'STAGES * BLOCK_N * (10 - SWIZZLE) <= 2000 and BLOCK_N * UNROLL <= 128',
} as const;
export type HiddenRule = keyof typeof HIDDEN_RULES;

/** A made-up kernel with the tunables of `attention-cuda`, variants of which fail by a rule that nobody is told. */
export function hiddenRuleSpace(rule: HiddenRule, seed: number): RecordedSpace {
  const random = new Xoshiro128(seed);
  const constraints = CONSTRAINTS.map((text) => Expression.parse(text));
  const runs = Expression.parse(HIDDEN_RULES[rule]);
  const cost = costOf(random);
  const rows: RecordedRow[] = [];
  for (const indices of product(TUNABLES.map(({ values }) => values.length))) {
    const variant = Object.fromEntries(TUNABLES.map(({ name, values }, at) => [name, values[indices[at]!]!]));
    if (!constraints.every((constraint) => constraint.holds(variant))) continue;
    const time_ms = runs.holds(variant) ? cost(indices) : undefined;
    rows.push({ indices, time_ms, status: time_ms === undefined ? 'build_failed' : 'ok' });
  }
  return { name: `${rule}-${seed}`, tunables: TUNABLES, constraints: CONSTRAINTS, rows };
}

/** A bowl in the ranks with a bend for each pair of neighbours, what compilers do to single values, and noise. */
function costOf(random: Random): (indices: readonly number[]) => number {
  const normal = () => normalQuantile(random.nextOpen());
  const effects = TUNABLES.map(({ values }) => {
    const weight = 0.3 * random.nextOpen();
    const best = random.nextOpen();
    return values.map((_, rank) => weight * (rank / (values.length - 1) - best) ** 2 + 0.02 * normal());
  });
  const bends = TUNABLES.map(() => 0.2 * normal());
  return (indices) => {
    const positions = indices.map((index, at) => index / (TUNABLES[at]!.values.length - 1) - 0.5);
    const bowl = indices.reduce((sum, index, at) => sum + effects[at]![index]!, 0);
    const bend = positions.reduce((sum, one, at) => sum + bends[at]! * one * (positions[at + 1] ?? 0), 0);
    return Math.exp(bowl + bend + 0.005 * normal());
  };
}

function product(sizes: readonly number[]): number[][] {
  return sizes.reduce<number[][]>(
    (lists, size) => lists.flatMap((list) => Array.from({ length: size }, (_, index) => [...list, index])),
    [[]],
  );
}
